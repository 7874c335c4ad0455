/** What happened, by `WireError.code`, else by its kind. Values are those of `detail`; any may be missing. */
export type Detail = Partial<Record<string, string>>;

/** The name of a thing where it is known, for the start of a sentence. */
const it = (name: string | undefined) => (name === undefined || name === '' ? 'It' : `“${name}”`);

export const error = {
  'errorKind.notFound': 'It is no longer there.',
  'errorKind.invalid': 'That cannot be used here.',
  'errorKind.conflict': 'It changed meanwhile.',
  'errorKind.denied': 'That is not allowed here.',
  'errorKind.cancelled': 'Stopped.',
  'errorKind.unavailable': 'That cannot be reached now.',
  'errorKind.corrupt': 'The data is damaged.',
  'errorKind.internal': 'Something in the app went wrong. Your files are unharmed.',

  'error.notFound': (v: Detail) => `${it(v['path'])} is no longer there.`,
  'error.invalid': 'That cannot be used here.',
  'error.conflict': 'It changed meanwhile.',
  'error.denied': 'That is not allowed here.',
  'error.cancelled': 'Stopped.',
  'error.unavailable': 'That cannot be reached now.',
  'error.corrupt': 'The data is damaged.',
  'error.internal': 'Something in the app went wrong. Your files are unharmed.',
  'error.unknownMethod': 'This page and the app behind it are of different versions. Reload the page.',
  'error.badParameters': 'This page and the app behind it are of different versions. Reload the page.',

  'error.hostGone': 'The app behind this page does not answer. Unsaved text is kept here.',
  'error.notSignedIn': 'Open this page with the link that the app printed: it works once, and lets this browser in.',
  'error.foreignOrigin': 'The app takes calls only from its own page.',
  'error.readOnlyProcess': 'Another Orangery owns this data and does not answer, so nothing can be changed here.',
  'error.ownerLost': 'The Orangery that did the work ended. Look whether it was done before trying again.',

  'error.diskFull': 'The disk is full. Nothing was changed.',
  'error.accessDenied': (v: Detail) => `${it(v['path'])} may not be read or written with your rights.`,
  'error.readOnly': (v: Detail) => `${it(v['path'])} is read-only.`,
  'error.io': (v: Detail) => `${it(v['path'])} could not be read or written.`,
  'error.escapes': (v: Detail) => `${it(v['path'])} lies outside the knowledge base.`,
  'error.danglingLink': (v: Detail) => `${it(v['path'])} is a link to nothing.`,
  'error.ambiguousName': (v: Detail) => `${it(v['path'])} fits two files whose names look the same.`,
  'error.exists': (v: Detail) => `${it(v['path'])} exists already.`,
  'error.folder': (v: Detail) => `${it(v['path'])} is a folder.`,
  'error.notAFolder': (v: Detail) => `${it(v['path'])} is not a folder.`,
  'error.specialFile': (v: Detail) => `${it(v['path'])} is not an ordinary file.`,
  'error.tooLarge': (v: Detail) => `${it(v['path'])} is too large to open here.`,
  'error.noKnowledgeBase': 'This knowledge base is no longer in the list.',
  'error.offline': 'The folder of this knowledge base is not connected.',
  'error.database': 'The app’s own database could not be used. Your files are unharmed.',

  'error.badAddress': 'A model’s address must be https, or http to this machine.',
  'error.modelNotFound': 'This model is no longer in the list.',
  'error.noKeyring': (v: Detail) =>
    `This system has no keyring that can be used${v['reason'] === undefined ? '' : ` (${v['reason']})`}. Choose another place for the key.`,
  'error.keyringSilent': 'The keyring did not answer. It may be locked: unlock it, or choose another place for the key.',
  'error.secretFileClosed': 'The encrypted file is closed. Enter its passphrase first.',
  'error.wrongPassphrase': 'That passphrase does not open the file.',
  'error.emptyPassphrase': 'Enter a passphrase.',
  'error.secretFileDamaged': 'The encrypted file is damaged. Enter the keys again.',
};
