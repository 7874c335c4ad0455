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

  'error.hostGone': 'The app behind this page does not answer.',
  'error.notSignedIn': 'Open this page with the link that the app printed: it works once, and lets this browser in.',
  'error.linkUsed': 'The link was used already: it lets one browser in, once. Go on in the page that it opened, or start the app again for a new link.',
  'error.foreignOrigin': 'The app takes calls only from its own page.',
  'error.readOnlyProcess': 'Another Orangery owns this data and does not answer, so nothing can be changed here.',
  'error.ownerLost': 'The Orangery that did the work ended. Look whether it was done before trying again.',

  'error.diskFull': 'The disk is full. Nothing was changed.',
  'error.accessDenied': (v: Detail) => `${it(v['path'])} may not be read or written with your rights.`,
  'error.readOnly': (v: Detail) => `${it(v['path'])} is read-only.`,
  'error.io': (v: Detail) => `${it(v['path'])} could not be read or written.`,
  'error.escapes': (v: Detail) => `${it(v['path'])} lies outside the knowledge base.`,
  'error.danglingLink': (v: Detail) => `${it(v['path'])} is a link to nothing.`,
  'error.throughLink': (v: Detail) =>
    `${it(v['path'])} leads through a link, and nothing new is made there. Use ${it(v['other'])}, where the link leads.`,
  'error.ambiguousName': (v: Detail) => `${it(v['path'])} fits two files whose names look the same.`,
  'error.exists': (v: Detail) => `${it(v['path'])} exists already.`,
  'error.folder': (v: Detail) => `${it(v['path'])} is a folder.`,
  'error.notAFolder': (v: Detail) => `${it(v['path'])} is not a folder.`,
  'error.specialFile': (v: Detail) => `${it(v['path'])} is not an ordinary file.`,
  'error.otherVolume': (v: Detail) =>
    `${it(v['path'])} is on another volume. Files are not moved across volumes; nothing was changed.`,
  'error.volumeWithin': (v: Detail) =>
    `${it(v['path'])} cannot be deleted: ${it(v['other'])} lies on another volume, and the trash takes nothing across volumes. Nothing was changed.`,
  'error.tooLarge': (v: Detail) => `${it(v['path'])} is too large to open here.`,
  'error.noKnowledgeBase': 'This knowledge base is no longer in the list.',
  'error.offline': 'The folder of this knowledge base is not connected.',
  'error.newerDatabase': 'A newer version of Orangery wrote the app’s own database. Use that version. Your files are unharmed.',
  'error.database': 'The app’s own database could not be used. Your files are unharmed.',

  'error.rootHolds': (v: Detail) => `${it(v['path'])} cannot be added: the knowledge base ${it(v['other'])} lies inside it.`,
  'error.rootLiesWithin': (v: Detail) => `${it(v['path'])} cannot be added: it lies inside the knowledge base ${it(v['other'])}.`,
  'error.rootAddedAlready': (v: Detail) => `${it(v['path'])} is already the knowledge base ${it(v['other'])}.`,
  'error.rootIsOwnData': 'This folder holds the app’s own data and cannot be a knowledge base.',
  'error.noName': 'A knowledge base needs a name.',
  'error.leftOut': (v: Detail) => `${it(v['path'])} is left out of the knowledge base, by its ignore rules or because it keeps secrets.`,
  'error.undecodable': (v: Detail) => `${it(v['path'])} could not be read as text. Choose its encoding.`,
  'error.unknownEncoding': (v: Detail) => `There is no encoding called ${it(v['encoding'])}.`,
  'error.badPath': 'This path cannot be used in a knowledge base.',
  'error.badGlob': (v: Detail) => `${it(v['path'])} is not a pattern for file names.`,
  'error.badPattern': (v: Detail) => `${it(v['pattern'])} is not a search pattern: ${v['reason'] ?? 'it cannot be read'}.`,
  'error.indexUnavailable': 'Search is not ready: its index is being built again. Your files are unharmed.',
  'error.closed': 'The app is closing.',

  'error.notADocument': (v: Detail) => `${it(v['path'])} is no document that can be shown here.`,
  'error.baseMoved': (v: Detail) => `${it(v['path'])} changed on disk meanwhile. Nothing was written.`,
  'error.notText': (v: Detail) => `${it(v['path'])} is read-only until its encoding is chosen.`,
  'error.unencodable': (v: Detail) => `${it(v['path'])} is kept in ${v['encoding'] ?? 'an encoding'}, which has no ${v['character'] ?? 'such character'}.`,
  'error.editsMisfit': (v: Detail) => `The changes do not fit ${it(v['path'])}. Nothing was written.`,
  'error.noteExtension': 'A note’s name ends in .md or .txt.',
  'error.blankPath': 'Enter a name.',
  'error.nothingApplied': 'Nothing of this change was applied, so there is nothing to undo.',
  'error.undoWaits': 'Part of this change was undone before. The rest waits for review among the changes.',
  'error.alreadyUndone': 'This change was undone already.',
  'error.thereAlready': (v: Detail) => `${it(v['path'])} already says what would be proposed.`,
  'error.halfWritten': (v: Detail) => `Writing failed, and not all could be put back: ${v['path'] ?? ''}. History has the earlier contents.`,
  'error.trash': (v: Detail) =>
    `${it(v['path'])} was not deleted: the system’s trash cannot be used, and nothing is deleted without it.`,
  'error.intoItself': (v: Detail) => `${it(v['path'])} cannot be moved into itself.`,
  'error.kbRoot': 'The folder of a knowledge base itself is neither moved nor deleted here.',
  'error.nameAlike': (v: Detail) =>
    `${it(v['other'])} is there already; its name differs only in upper and lower case, which many systems take for the same.`,

  'error.noSession': 'This conversation is no longer there.',
  'error.noJob': (v: { job: string }) => `There is no command #${v.job} any more.`,
  'error.sessionBusy': 'This conversation is still being answered. Stop it first.',
  'error.notWaiting': 'This question was answered or closed already.',
  'error.sessionName': 'A conversation’s name is 1 to 128 letters, digits, or - _ . :',
  'error.blankTitle': 'Enter a title.',
  'error.blankPrompt': 'Enter a question.',
};
