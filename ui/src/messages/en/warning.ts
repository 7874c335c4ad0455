/** `reason`: the sentence of the error that the detail is the code of. */
type Detail = { detail: string; reason?: string };

/** What a file turned out to be, by its detail. */
const kinds: Record<string, string> = {
  docx: 'a Word file',
  pptx: 'a PowerPoint file',
  xlsx: 'an Excel file',
  zip: 'an archive',
  ole: 'a file of an old Office program',
  binary: 'something that is not text',
};

/** What to know about a value that is there, by `Warning.code`. */
export const warning = {
  // Of knowledge bases.
  'warning.noAnswer': (v: Detail) => `The folder “${v.detail}” cannot be read now. What was known of it is kept.`,

  'warning.noPermission': (v: Detail) =>
    `The folder “${v.detail}” may not be read with your rights. What was known of it is kept.`,

  // Of files.
  'warning.binary': 'This file holds no text.',
  'warning.encodingUnclear': (v: Detail) =>
    `Its encoding is unclear, so it is shown for reading only${v.detail === '' ? '' : `. Likely: ${v.detail}`}. Choose an encoding to edit it.`,
  'warning.undecodable': 'It cannot be read as text.',
  'warning.unreadable': (v: Detail) => v.reason ?? `It could not be read: ${v.detail}`,
  'warning.tooLarge': (v: Detail) => `It is larger than ${v.detail} MB: listed, but neither searched nor opened here.`,
  'warning.sensitive': 'It may hold secrets: listed, but not searched.',
  'warning.nameNotUnicode': 'Its name is not valid text. It can be looked at, not changed.',
  'warning.link': (v: Detail) => (v.reason === undefined ? `This link is not followed: ${v.detail}` : `This link is not followed. ${v.reason}`),
  'warning.specialFile': 'It is not an ordinary file.',
  'warning.readOnlyFile': 'It is read-only on disk.',

  // Of documents: nothing could be read.
  'warning.damaged': (v: Detail) =>
    v.detail === 'empty'
      ? 'It is empty: nothing is in the file.'
      : `It is damaged${v.detail === '' ? '' : ` (${v.detail})`} and cannot be read. It is listed, but not searched.`,
  'warning.encrypted': 'It is locked with a password. Unlock it to read and search it.',
  'warning.sealed': 'It is locked and can only be opened with the program it was made for. It is listed, but not searched. A copy that you save there without the lock is.',
  'warning.wrongPassword': 'The password does not open it.',
  'warning.notThisKind': (v: Detail) =>
    `It is not what its name says${v.detail === '' ? '' : `, but ${kinds[v.detail] ?? v.detail}`}. It is listed, but not searched.`,
  'warning.crashed': 'Reading it failed so badly that the reader ended. It is listed, but not searched.',
  'warning.tooSlow': 'Reading it took too long. It is listed, but not searched.',
  'warning.noPage': 'It has no such page.',
  'warning.noPicture': 'It has no such picture.',
  'warning.pdfiumMissing': (v: Detail) =>
    v.detail === ''
      ? 'PDF files cannot be read, because PDFium is missing. Run `cargo xtask run` to get it, or set ORANGERY_PDFIUM.'
      : `PDF files cannot be read, because PDFium cannot be loaded. ${v.detail}`,

  // Of what is found.
  'warning.changesLost': (v: Detail) =>
    `What changed in “${v.detail}” lately is not found, because it could not be stored. Is the disk of the data directory full? It is tried again.`,

  // Of turns.
  'warning.modelUnknown': (v: Detail) => `The model could not be looked up. ${v.reason ?? v.detail}`,
  'warning.modelRemoved': 'The model of this conversation is no longer in the list. Choose another.',
  'warning.keyUnavailable': (v: Detail) => `The key cannot be had now. ${v.reason ?? v.detail}`,
  'warning.keyMissing': (v: Detail) => `The key of ${v.detail} is not there. Enter it in Settings.`,
  'warning.modelRefusedKey': (v: Detail) => `The model’s server refused the key: ${v.detail}`,
  'warning.modelNotServed': (v: Detail) => `The server does not know this model: ${v.detail}`,
  'warning.modelBusy': 'The model takes no more requests for now. Waited as asked and tried again; what had arrived is kept.',
  'warning.modelOutOfOrder': (v: Detail) => `The model’s server is out of order. What had arrived is kept. It said: ${v.detail}`,
  'warning.modelTooLong': 'The conversation is longer than this model can read. Begin a new one, or choose another model.',
  'warning.modelRefused': (v: Detail) => `The model’s server refused the request: ${v.detail}`,
  'warning.modelHostUnknown': (v: Detail) => `No server called ${v.detail} is known. Check the address, and whether this machine is online.`,
  'warning.modelNotListening': (v: Detail) => `Nothing answers at ${v.detail}. Check the address, and whether the model’s server runs.`,
  'warning.modelUntrusted': (v: Detail) => `The certificate of ${v.detail} is not to be trusted, so nothing was sent.`,
  'warning.modelSilent': (v: Detail) => `${v.detail} was silent for too long. What had arrived is kept.`,
  'warning.modelElsewhere': (v: Detail) => `The model’s server sends on to ${v.detail}, which is not followed. Enter that address if you trust it.`,
  'warning.modelUnreachable': (v: Detail) => `The model’s server cannot be reached: ${v.detail}`,
  'warning.modelMalformed': (v: Detail) => `The server answered with something else than a chat completion: ${v.detail}`,
  'warning.modelBrokeOff': 'The answer broke off. What had arrived is kept.',
  'warning.turnFailed': (v: Detail) => `The turn ended. ${v.reason ?? v.detail}`,
  'warning.rulesBroken': (v: Detail) =>
    `These rules cannot be understood. Until they are corrected, commands, the web and other tools are denied and all else is asked. ${v.detail}`,
  'warning.answerWithheld': 'The model’s provider held the answer back, or a part of it.',
  'warning.answerStopped': (v: Detail) => `The model stopped before its answer was complete: ${v.detail}`,
  'warning.answerEmpty': (v: Detail) => `${v.detail} gave an empty answer. Ask again.`,
  'warning.answerCutShort': 'The answer was cut short at the model’s limit.',
  'warning.contextFull': (v: Detail) =>
    `The conversation is longer than the model can read, and no more of it can be shortened (${v.detail} tokens). Ask in a new conversation, or with less at once.`,
  'warning.roundLimit': (v: Detail) => `Stopped after ${v.detail} rounds of tools.`,
  'warning.offlineNoModel': 'No model is connected, so these are passages, not an answer.',
  'warning.offlineNothingFound': 'Nothing in your notes fits the question.',
};
