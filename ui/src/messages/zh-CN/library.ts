import type { library as en } from '../en/library';
import type { Like } from '../like';

export const library: Like<typeof en> = {
  'library.offline': '离线',
  'library.loading': '正在列出…',
  'library.empty': '空',
  'library.open': '打开',
  'library.rescan': '重新扫描',
  'library.manage': '管理知识库…',
  'library.copyPath': '复制路径',
  'library.newNoteName': '笔记名称',
  'library.newFolderName': '文件夹名称',
  'library.notShown': (v) => `${v.name} 已列出，但目前只能在此打开 Markdown 和文本文件。`,
  'library.reading': (v) => `正在读取 ${v.name}`,
  'library.indexing': (v) => `正在索引 ${v.name}`,
  'library.pause': '暂停',
  'library.resume': '继续',
  'library.paused': (v) => `已暂停：${v.name}`,
  'library.found': (v) => `已找到 ${v.found.toLocaleString('zh-CN')} 个文件`,
  'library.counted': (v) => `${v.done.toLocaleString('zh-CN')} / ${v.total.toLocaleString('zh-CN')} 个文件`,
};
