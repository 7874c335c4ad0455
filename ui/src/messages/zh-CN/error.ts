import type { error as en } from '../en/error';
import type { Like } from '../like';

const it = (name: string | undefined) => (name === undefined || name === '' ? '它' : `“${name}”`);

export const error: Like<typeof en> = {
  'errorKind.notFound': '它已不在那里。',
  'errorKind.invalid': '这里不能这样使用。',
  'errorKind.conflict': '其间它已改动。',
  'errorKind.denied': '这里不允许这样做。',
  'errorKind.cancelled': '已停止。',
  'errorKind.unavailable': '现在无法连接。',
  'errorKind.corrupt': '数据已损坏。',
  'errorKind.internal': '应用内部出错，你的文件完好。',

  'error.notFound': (v) => `${it(v['path'])}已不在那里。`,
  'error.invalid': '这里不能这样使用。',
  'error.conflict': '其间它已改动。',
  'error.denied': '这里不允许这样做。',
  'error.cancelled': '已停止。',
  'error.unavailable': '现在无法连接。',
  'error.corrupt': '数据已损坏。',
  'error.internal': '应用内部出错，你的文件完好。',
  'error.unknownMethod': '此页面与其背后的应用版本不同，请重新载入页面。',
  'error.badParameters': '此页面与其背后的应用版本不同，请重新载入页面。',

  'error.hostGone': '此页面背后的应用没有响应。未保存的文字仍保留在此。',
  'error.notSignedIn': '请用应用打印出的链接打开此页：链接只能使用一次，用后此浏览器即可进入。',
  'error.foreignOrigin': '应用只接受来自自身页面的请求。',
  'error.readOnlyProcess': '另一个 Orangery 正占用这些数据且没有响应，因此这里无法更改。',
  'error.ownerLost': '执行操作的 Orangery 已结束。重试之前请先确认是否已完成。',

  'error.diskFull': '磁盘已满，没有任何改动。',
  'error.accessDenied': (v) => `你的权限不足以读写${it(v['path'])}。`,
  'error.readOnly': (v) => `${it(v['path'])}是只读的。`,
  'error.io': (v) => `${it(v['path'])}未能读写。`,
  'error.escapes': (v) => `${it(v['path'])}在知识库之外。`,
  'error.danglingLink': (v) => `${it(v['path'])}是一个失效的链接。`,
  'error.ambiguousName': (v) => `${it(v['path'])}对应两个名称看上去相同的文件。`,
  'error.exists': (v) => `${it(v['path'])}已经存在。`,
  'error.folder': (v) => `${it(v['path'])}是文件夹。`,
  'error.notAFolder': (v) => `${it(v['path'])}不是文件夹。`,
  'error.specialFile': (v) => `${it(v['path'])}不是普通文件。`,
  'error.tooLarge': (v) => `${it(v['path'])}太大，无法在此打开。`,
  'error.noKnowledgeBase': '此知识库已不在列表中。',
  'error.offline': '此知识库的文件夹未连接。',
  'error.database': '应用自身的数据库无法使用，你的文件完好。',

  'error.badAddress': '模型地址必须是 https，只有本机可以使用 http。',
  'error.modelNotFound': '此模型已不在列表中。',
  'error.noKeyring': (v) => `此系统没有可用的密钥环${v['reason'] === undefined ? '' : `（${v['reason']}）`}，请为密钥选择其他位置。`,
  'error.keyringSilent': '密钥环没有响应，可能已锁定：请解锁，或为密钥选择其他位置。',
  'error.secretFileClosed': '加密文件尚未打开，请先输入口令。',
  'error.wrongPassphrase': '该口令无法打开文件。',
  'error.emptyPassphrase': '请输入口令。',
  'error.secretFileDamaged': '加密文件已损坏，请重新输入密钥。',
};
