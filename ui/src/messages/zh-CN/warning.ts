import type { warning as en } from '../en/warning';
import type { Like } from '../like';

const kinds: Record<string, string> = {
  docx: 'Word 文件',
  pptx: 'PowerPoint 文件',
  xlsx: 'Excel 文件',
  zip: '压缩包',
  ole: '旧版 Office 的文件',
  binary: '非文字内容',
};

export const warning: Like<typeof en> = {
  'warning.noAnswer': (v) => `现在无法读取文件夹“${v.detail}”。此前读到的内容保留。`,
  'warning.noPermission': (v) => `你没有读取文件夹“${v.detail}”的权限。此前读到的内容保留。`,

  'warning.binary': '此文件不含文字。',
  'warning.encodingUnclear': (v) => `编码不明，因此只供阅读${v.detail === '' ? '' : `。可能是：${v.detail}`}。选择编码后即可编辑。`,
  'warning.undecodable': '无法作为文字读取。',
  'warning.unreadable': (v) => v.reason ?? `未能读取：${v.detail}`,
  'warning.tooLarge': (v) => `大于 ${v.detail} MB：会列出，但不搜索，也不在此打开。`,
  'warning.sensitive': '可能含有密钥：会列出，但不搜索。',
  'warning.nameNotUnicode': '文件名不是有效文字，只能查看，不能更改。',
  'warning.link': (v) => `不跟随此链接：${v.reason ?? v.detail}`,
  'warning.specialFile': '不是普通文件。',
  'warning.readOnlyFile': '此文件在磁盘上是只读的。',

  'warning.damaged': (v) => v.detail === 'empty' ? '这是空文件，里面没有内容。' : `文件已损坏${v.detail === '' ? '' : `（${v.detail}）`}，无法读取。会列出，但不搜索。`,
  'warning.encrypted': '文件有密码保护。解锁后即可阅读和搜索。',
  'warning.sealed': '文件已加密，只能用原来的程序打开。会列出，但不搜索。在该程序中另存一份不加密的副本即可阅读和搜索。',
  'warning.wrongPassword': '密码不正确。',
  'warning.notThisKind': (v) => `内容与文件名不符${v.detail === '' ? '' : `：实际是${kinds[v.detail] ?? v.detail}`}。会列出，但不搜索。`,
  'warning.crashed': '读取此文件时读取程序意外终止。会列出，但不搜索。',
  'warning.tooSlow': '读取此文件用时过长。会列出，但不搜索。',
  'warning.noPage': '其中没有这一页。',
  'warning.noPicture': '其中没有这张图片。',
  'warning.pdfiumMissing': (v) =>
    v.detail === ''
      ? '缺少 PDFium，无法读取 PDF 文件。运行 `cargo xtask run` 获取，或设置 ORANGERY_PDFIUM。'
      : `PDFium 无法加载，因此无法读取 PDF 文件。${v.detail}`,

  'warning.changesLost': (v) => `“${v.detail}”最近的改动无法保存，因此搜索不到。数据目录所在的磁盘满了吗？稍后会重试。`,

  'warning.modelUnknown': (v) => `未能查到模型。${v.reason ?? v.detail}`,
  'warning.modelRemoved': '此对话的模型已不在列表中，请另选一个。',
  'warning.keyUnavailable': (v) => `现在无法取得密钥。${v.reason ?? v.detail}`,
  'warning.keyMissing': (v) => `${v.detail} 的密钥不存在，请在设置中输入。`,
  'warning.modelRefusedKey': (v) => `模型服务器拒绝了密钥：${v.detail}`,
  'warning.modelNotServed': (v) => `服务器不认识此模型：${v.detail}`,
  'warning.modelBusy': '模型暂时不再接受请求。已按要求等待并重试；已收到的内容保留。',
  'warning.modelOutOfOrder': (v) => `模型服务器出现故障，已收到的内容保留。服务器说：${v.detail}`,
  'warning.modelTooLong': '对话超出了此模型能读取的长度。请新建对话，或选择其他模型。',
  'warning.modelRefused': (v) => `模型服务器拒绝了请求：${v.detail}`,
  'warning.modelHostUnknown': (v) => `找不到名为 ${v.detail} 的服务器。请检查地址，以及此电脑是否联网。`,
  'warning.modelNotListening': (v) => `${v.detail} 没有应答。请检查地址，以及模型服务器是否在运行。`,
  'warning.modelUntrusted': (v) => `${v.detail} 的证书不可信任，因此没有发送任何内容。`,
  'warning.modelSilent': (v) => `${v.detail} 长时间没有响应。已收到的内容保留。`,
  'warning.modelElsewhere': (v) => `模型服务器转向 ${v.detail}，未予跟随。如果信任该地址，请填写它。`,
  'warning.modelUnreachable': (v) => `无法连接到模型服务器：${v.detail}`,
  'warning.modelMalformed': (v) => `服务器的回应不是对话补全：${v.detail}`,
  'warning.modelBrokeOff': '回答中断了。已收到的内容保留。',
  'warning.turnFailed': (v) => `本轮已结束。${v.reason ?? v.detail}`,
  'warning.rulesBroken': (v) => `规则文件无法理解。更正之前，命令、网络和其他工具一律拒绝，其余操作均需询问。${v.detail}`,
  'warning.answerWithheld': '模型提供方没有给出回答，或只给出了一部分。',
  'warning.answerStopped': (v) => `模型没有答完就停止了：${v.detail}`,
  'warning.answerEmpty': (v) => `${v.detail} 给出了空回答。请再问一次。`,
  'warning.answerCutShort': '回答达到模型上限，已被截断。',
  'warning.contextFull': (v) => `对话超出了模型能读取的长度，也无法再精简（${v.detail} 令牌）。请在新对话中提问，或减少一次给出的内容。`,
  'warning.roundLimit': (v) => `工具调用 ${v.detail} 轮后停止。`,
  'warning.offlineNoModel': '未连接模型，因此这些是段落，而不是回答。',
  'warning.offlineNothingFound': '笔记中没有与问题相符的内容。',
};
