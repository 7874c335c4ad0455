import type { search as en } from '../en/search';
import type { Like } from '../like';

const reach = ({ start, end }: { start: number; end: number }) => (start === end ? `${start}` : `${start}–${end}`);

export const search: Like<typeof en> = {
  'search.field': '在全部内容中搜索',
  'search.placeholder': '词语、"短语"、-排除',
  'search.clear': '清除',
  'search.results': '结果',
  'search.loading': '正在搜索…',
  'search.more': '更多文件',
  'search.count': (v) =>
    v.passages === 0
      ? `按名称找到 ${v.files}${v.more ? ' 个以上' : ' 个'}文件`
      : `${v.more ? '前 ' : ''}${v.passages} 段，共 ${v.files}${v.more ? ' 个以上' : ' 个'}文件`,
  'search.passages': (v) => `${v.count} 段`,
  'search.incomplete': (v) => `仍在索引：已可搜索 ${v.done.toLocaleString('zh-CN')} / ${v.total.toLocaleString('zh-CN')} 个文件`,
  'search.line': (v) => `第 ${v.line} 行`,
  'search.lines': (v) => `${v.start}–${v.end} 行`,
  'search.page': (v) => `第 ${reach(v)} 页`,
  'search.slide': (v) => `第 ${reach(v)} 张幻灯片`,
  'search.chapter': (v) => `第 ${reach(v)} 章`,
  'search.row': (v) => `第 ${reach(v)} 行`,
  'search.title': '在全部内容中搜索',
  'search.intro': '输入时即显示结果。',
  'search.nothing': (v) => `没有找到“${v.text}”`,
  'search.searched': (v) => `已搜索 ${v.bases} 个知识库中的 ${v.files.toLocaleString('zh-CN')} 个文件。`,
  'search.withoutFilters': '不使用筛选',
  'search.withoutQuotes': '去掉引号',
  'search.ways': '缩小或放宽范围',
  'search.wayPhraseExample': '"屋顶天窗"',
  'search.wayPhrase': '完整短语',
  'search.wayNotExample': '玻璃 -三玻',
  'search.wayNot': '排除一个词',
  'search.wayOrExample': '百叶 OR 窗帘',
  'search.wayOr': '任意一个词',
  'search.wayTagExample': 'tag:采光',
  'search.wayTag': '带有此标签',
  'search.wayPathExample': 'path:项目',
  'search.wayPath': '在此文件夹内',
  'search.where': '范围',
  'search.offline': '离线',
  'search.type': '类型',
  'search.kindText': '文本',
  'search.kindImage': '图片',
  'search.kindOther': '其他',
  'search.changed': '改动时间',
  'search.any': '不限',
  'search.week': '一周',
  'search.year': '一年',
};
