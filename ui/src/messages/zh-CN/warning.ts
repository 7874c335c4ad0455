import type { warning as en } from '../en/warning';
import type { Like } from '../like';

export const warning: Like<typeof en> = {
  'warning.binary': '此文件不含文字。',
  'warning.encodingUnclear': (v) => `编码不明，因此只供阅读${v.detail === '' ? '' : `。可能是：${v.detail}`}。选择编码后即可编辑。`,
  'warning.undecodable': '无法作为文字读取。',
  'warning.unreadable': (v) => `未能读取：${v.detail}`,
  'warning.tooLarge': (v) => `大于 ${v.detail} MB：会列出，但不搜索，也不在此打开。`,
  'warning.sensitive': '可能含有密钥：会列出，但不搜索。',
  'warning.nameNotUnicode': '文件名不是有效文字，只能查看，不能更改。',
  'warning.link': (v) => `不跟随此链接：${v.detail}`,
  'warning.specialFile': '不是普通文件。',
  'warning.readOnlyFile': '此文件在磁盘上是只读的。',

  'warning.danglingOr': 'OR 两侧缺少词语，已忽略。',
  'warning.unclosedQuote': (v) => `${v.detail === '' ? '' : `“${v.detail}”前的`}引号没有闭合，因此逐词搜索。`,
  'warning.emptyOperator': (v) => `${v.detail} 后没有内容，已忽略。`,
  'warning.unreadableDate': (v) => `“${v.detail}”不是 2026-06 或 2026-06-30 这样的日期，因此按词语搜索。`,
  'warning.unknownType': (v) => `“${v.detail}”不是文件类型，因此按词语搜索。`,
  'warning.unknownKnowledgeBase': (v) => `没有名为“${v.detail}”的知识库。`,

  'warning.anchorLoose': (v) => `找到了该段落，但 ${v.detail} 有差异。`,
  'warning.reviewAlways': '影响助手行为的文件始终需要审阅。',
  'warning.encodingKept': (v) => `文件保持 ${v.detail} 编码。`,

  'warning.modelUnknown': (v) => `未能查到模型：${v.detail}`,
  'warning.modelRemoved': '此会话的模型已不在列表中，请另选一个。',
  'warning.keyUnavailable': (v) => `现在无法取得密钥。${v.detail}`,
  'warning.keyMissing': (v) => `${v.detail} 的密钥不存在，请在设置中输入。`,
  'warning.modelFailed': (v) => `模型没有继续应答：${v.detail}。已收到的内容保留。`,
  'warning.turnFailed': (v) => `本轮已结束：${v.detail}`,
  'warning.answerCutShort': '回答达到模型上限，已被截断。',
  'warning.roundLimit': (v) => `工具调用 ${v.detail} 轮后停止。`,
  'warning.offlineNoModel': '未连接模型，因此这些是段落，而不是回答。',
  'warning.offlineNothingFound': '笔记中没有与问题相符的内容。',
};
