import type { error as en } from '../en/error';
import type { Like } from '../like';

export const error: Like<typeof en> = {
  'errorKind.notFound': '它已不在那里。',
  'errorKind.invalid': '这里不能这样使用。',
  'errorKind.conflict': '其间它已改动。',
  'errorKind.denied': '这里不允许这样做。',
  'errorKind.cancelled': '已停止。',
  'errorKind.unavailable': '现在无法连接。',
  'errorKind.corrupt': '数据已损坏。',
  'errorKind.internal': '应用内部出错，你的文件完好。',

  'error.hostGone': '此页面背后的应用没有响应。未保存的文字仍保留在此。',
  'error.notEntered': '请用应用打印出的链接打开此页，其中带有一次性密钥。',
  'error.internal': '应用内部出错，你的文件完好。',
  'error.detail': (v) => `详情：${v['message'] ?? ''}`,
};
