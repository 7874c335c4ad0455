import type { palette as en } from '../en/palette';
import type { Like } from '../like';

export const palette: Like<typeof en> = {
  'palette.name': '转到文件或执行命令',
  'palette.placeholder': '文件名或命令',
  'palette.results': '匹配项',
  'palette.opened': '最近打开',
  'palette.recent': '最近改动',
  'palette.files': '文件',
  'palette.commands': '命令',
  'palette.commandsHint': '命令',
  'palette.open': '已打开',
  'palette.openHint': '打开',
  'palette.besideHint': '在旁边打开',
  'palette.closeHint': '关闭',
  'palette.create': (v) => `新建笔记“${v.name}”`,
  'palette.nothing': (v) => `没有名为“${v.text}”的内容。`,
  'palette.nothingYet': '还没有文件。',
  'palette.count': (v) => `${v.count} 个匹配项`,
};
