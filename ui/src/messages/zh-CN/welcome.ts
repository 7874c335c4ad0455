import type { welcome as en } from '../en/welcome';
import type { Like } from '../like';

export const welcome: Like<typeof en> = {
  'welcome.title': '选择一个文件夹开始',
  'welcome.lead': 'Orangery 在原处读取其中的笔记，不移动、不复制，也不发送到任何地方。',
  'welcome.drop': '将文件夹拖到这里',
  'welcome.choose': '一个存放笔记的文件夹',
  'welcome.kinds': '可搜索 Markdown 和文本，其他文件会列出',
  'welcome.chooseFolder': '选择文件夹…',
  'welcome.sample': '从使用指南开始',
  'welcome.sampleNote': '一个可以随意浏览的小知识库',
  'welcome.create': '创建',
  'welcome.model': '连接模型',
  'welcome.modelNote': '可选。没有模型时，搜索和引用段落仍然可用',
  'welcome.connect': '连接…',
  'welcome.unreachable': '无法连接 Orangery',
  'welcome.reading': (v) => `正在读取 ${v.name}`,
  'welcome.readingLead': '已完成的部分现在就可以书写、浏览和搜索。关闭窗口不会丢失进度。',
  'welcome.found': '找到的文件',
  'welcome.extracted': '已提取文字',
  'welcome.searchable': '可搜索',
  'welcome.now': (v) => `当前：${v.name}`,
  'welcome.unreadable': (v) => `${v.count} 个文件无法读取`,

  'adding.choose': '选择文件夹',
  'adding.chooseThis': '使用此文件夹',
  'adding.folders': '文件夹',
  'adding.path': '文件夹路径',
  'adding.up': '上一级文件夹',
  'adding.noFolders': '这里没有子文件夹，可以直接使用此文件夹。',
  'adding.sample': '使用指南',
  'adding.failed': '未能添加文件夹',
};
