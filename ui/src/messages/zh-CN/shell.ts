import type { shell as en } from '../en/shell';
import type { Like } from '../like';

export const shell: Like<typeof en> = {
  'app.name': 'Orangery',
  'time.today': '今天',
  'time.yesterday': '昨天',

  'region.left': '资料库',
  'region.leftTabs': '左侧窗格',
  'region.middle': '主区域',
  'region.tabs': '打开的标签页',
  'region.right': '侧窗格',
  'region.rightTabs': '侧窗格标签',
  'region.status': '状态',

  'left.files': '文件',
  'left.search': '搜索',
  'left.changes': '更改',
  'right.assistant': '助手',
  'right.outline': '大纲',
  'right.links': '链接',

  'pane.hideLeft': '隐藏左侧窗格',
  'pane.showLeft': '显示左侧窗格',
  'pane.hideRight': '隐藏侧窗格',
  'pane.showRight': '显示侧窗格',
  'pane.resizeLeft': '左侧窗格宽度',
  'pane.resizeRight': '侧窗格宽度',

  'tab.new': '新建标签页',
  'tab.close': (v) => `关闭 ${v.name}`,
  'tab.closeOthers': '关闭其他标签页',
  'tab.closeAll': '关闭所有标签页',
  'tab.keep': '保持打开',
  'tab.moveLeft': '左移',
  'tab.moveRight': '右移',
  'tab.split': '在旁边打开',
  'tab.unsaved': '未保存',
  'tab.settings': '设置',
  'tab.search': '搜索',
  'tab.searchFor': (v) => `搜索：${v.text}`,
  'tab.review': '审阅',
  'tab.reviewOf': (v) => `审阅：${v.name}`,
  'tab.notSaved': (v) => `${v.name} 未能保存，因此仍然打开。`,
  'tab.menu': '标签页',

  'status.noKnowledgeBase': '还没有知识库',
  'status.indexed': '索引已是最新',
  'status.scanning': (v) => `正在读取文件夹，已找到 ${v.found.toLocaleString('zh-CN')} 个文件`,
  'status.indexing': (v) => `正在索引 ${v.share}%`,
  'status.scanFailed': '文件夹未能读完',
  'status.polling': '已达系统上限，改为定时检查',
  'status.disconnected': '连接已断开，正在重试',
  'status.signedOut': '应用已重新启动。请打开它新打印的链接；这里的文字会保留',
  'status.noModel': '未连接模型',

  'toast.close': '关闭提示',
  'action.cancel': '取消',
  'action.tryAgain': '重试',

  'view.loading': '正在打开…',
  'view.failed': '应用的这一部分未能载入。',
};
