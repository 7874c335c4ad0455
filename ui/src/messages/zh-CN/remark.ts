import type { remark as en } from '../en/remark';
import type { Like } from '../like';

const LOOSE: Record<string, string | undefined> = {
  'curly and straight quotes': '弯引号与直引号',
  'the Unicode form of letters': '字母的 Unicode 形式',
  'blanks at line ends': '行尾空白',
  'full-width punctuation, or kinds of blanks and hyphens': '全角标点、空白或连字符的种类',
  indentation: '缩进',
  'row numbers': '行号',
  'the missing line break at the end': '末尾缺少的换行',
};

export const remark: Like<typeof en> = {
  'warning.noText': '其中没有文字，搜索无法按内容找到它。',
  'warning.imageOnly': (v) => `仅有图片、没有可搜索的文字：第 ${v.detail} 页。`,
  'warning.garbledText': (v) => `部分页面的字体没有说明字符含义，文字无法辨认：第 ${v.detail} 页。`,
  'warning.pagesDamaged': (v) => `已损坏、无法读取的页面：${v.detail}。`,
  'warning.contentOrder': '文件过大，无法确定阅读顺序，文字按文件内的顺序排列。',
  'warning.poorCoverage': (v) => `部分页面的文字按文件内的顺序排列：第 ${v.detail} 页。`,
  'warning.textCut': (v) => `文字在 ${v.detail} MB 处截断。`,
  'warning.partsLeftOut': '部分内容过大或嵌套过深，已略去。',
  'warning.partsDamaged': '部分内容已损坏，仅保留能读出的部分。',
  'warning.hiddenLeftOut': '文件中对读者隐藏的文字已略去。',
  'warning.hiddenParts': (v) => `隐藏的部分：${v.detail}。`,
  'warning.encodingGuessed': (v) => `编码为推测：${v.detail}。如有乱码，请另选编码。`,
  'warning.malformedText': '部分字节不属于此编码。',

  'warning.danglingOr': 'OR 两侧缺少词语，已忽略。',
  'warning.unclosedQuote': (v) => `${v.detail === '' ? '' : `“${v.detail}”前的`}引号没有闭合，因此逐词搜索。`,
  'warning.emptyOperator': (v) => `${v.detail} 后没有内容，已忽略。`,
  'warning.unknownOperator': (v) => `“${v.detail}”不是运算符，因此按词语搜索。`,
  'warning.unreadableDate': (v) => `“${v.detail}”不是 2026-06 或 2026-06-30 这样的日期，因此按词语搜索。`,
  'warning.unreadablePattern': (v) => `“/${v.detail}/”不是可以读懂的正则表达式，因此按词语搜索。`,
  'warning.unknownType': (v) => `“${v.detail}”不是文件类型，因此按词语搜索。`,
  'warning.unknownKnowledgeBase': (v) => `没有名为“${v.detail}”的知识库。`,

  'warning.anchorLoose': (v) => `找到了该段落，但${LOOSE[v.detail] ?? v.detail}有差异。`,
  'warning.reviewAlways': '影响助手行为的文件始终需要审阅。',
  'warning.onlyTrash': (v) => `共 ${v.detail} MB，历史记录不保留：只有系统回收站里有副本。`,
  'warning.notAllKept': (v) => `历史记录无法保留 ${v.detail}：系统回收站清空后将无法恢复。`,
  'warning.linksNotUpdated': (v) => `${v.detail} 中有些链接无法更新：它们将不再指向现在的位置。`,
  'warning.leftBehind': (v) => `除 ${v.detail} 外均已恢复：这些只存在于系统回收站中。`,
  'warning.encodingKept': (v) => `文件保持 ${v.detail} 编码。`,
  'warning.caughtUp': '提出此更改之后，文件又有改动。这里按文件现在的文字显示。',
  'warning.saidAlready': '文件里已经是这样了，应用它不会改变什么。',
  'warning.editedByUser': '你修改过提出的文字。',
  'warning.builtOnRejected': '它修改的文字来自一项已被拒绝的修改。',
};
