import type { ChangeSetSummary, CommentLine, FolderContents, Operation, Sizes } from '../../api/generated/commands';
import { bytes, describeWarning, t } from '../../messages/index.svelte';
import { folderOf, nameOf, stemOf } from '../../state/place';

/** A set in one line: its files, else where it comes from. */
export function setLabel({ names, operations, provenance }: ChangeSetSummary): string {
  const shown = names.slice(0, 2).map(stemOf);
  if (shown.length === 0) return t(`review.from.${provenance.source}`);
  const listed = t('review.names', { names: shown.join(t('list.comma')), more: operations - shown.length });
  return provenance.source === 'undo' ? `${t('review.from.undo')}: ${listed}` : listed;
}

/** What the core notes at an operation, and the message that says it. What is not here is shown as it came. */
const NOTES: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/^the file changed on disk where this operation changes it$/, () => t('review.note.changed')],
  [/^it meets what was applied$/, () => t('review.note.meets')],
  [/^it changes what another operation of this set changes$/, () => t('review.note.sameSet')],
  [/^the file changed while it was being applied$/, () => t('review.note.meanwhile')],
  [/^(the file|what the folder holds) changed since this was proposed$/, ([, what]) => t(what === 'the file' ? 'review.note.since' : 'review.note.folderSince')],
  [/^(it|the file) is (gone|not there any more)$/, () => t('review.note.gone')],
  [/^a (file|folder) is there now$/, ([, what]) => t(what === 'file' ? 'review.note.fileThere' : 'review.note.folderThere')],
  [/^it is neither a file nor a folder now$/, () => t('review.note.neither')],
  [/^something is there already$/, () => t('review.note.there')],
  [/^something is at (.+) now; nothing is overwritten$/, ([, name = '']) => t('review.note.taken', { name })],
  [/^(.+) is there, whose name differs in nothing but case$/, ([, name = '']) => t('review.note.case', { name })],
  [/^the folder (.+) is not there; apply the operation that makes it$/, ([, name = '']) => t('review.note.folderFirst', { name })],
  [/^the folder (.+) is not there any more$/, ([, name = '']) => t('review.note.folderGone', { name })],
  [/^the file was changed after it was made; it stays$/, () => t('review.note.stays')],
  [/^the folder holds something else by now; it stays$/, () => t('review.note.folderStays')],
  [/^the trash does not hold it any more/, () => t('review.note.trashEmpty')],
  [/^it updates links to what is not moved/, () => t('review.note.moveFirst')],
  [/^operation \d+ proposed again$/, () => t('review.note.again')],
  [/^operation \d+ with its conflict resolved$/, () => t('review.note.resolved')],
  [/^operation \d+ on the text as it is now$/, () => t('review.note.offer')],
];

export function noteWords(note: string): string {
  for (const [pattern, words] of NOTES) {
    const found = pattern.exec(note);
    if (found !== null) return words(found);
  }
  return note;
}

/** A file's name in the list; what is created shows its folder too. */
export function operationName({ kind, place }: Operation): string {
  const stem = stemOf(place.path);
  if (kind !== 'createFile' && kind !== 'createFolder') return stem;
  const folder = place.path.split('/').at(-2);
  return folder === undefined ? stem : `${folder}/${stem}`;
}

/** A move that stays in its folder is a rename. */
export function isRename({ place, target }: Operation): boolean {
  return target !== null && target.kbId === place.kbId && folderOf(target.path) === folderOf(place.path);
}

function kindWords(operation: Operation, knowledgeBase: (id: number) => string): string {
  const { kind, place, target } = operation;
  if (kind !== 'move' || target === null) return t(`review.kind.${kind}`);
  if (isRename(operation)) return t('review.renameTo', { name: stemOf(target.path) });
  const folder = folderOf(target.path);
  const where = target.kbId === place.kbId ? folder || '/' : [knowledgeBase(target.kbId), folder].filter(Boolean).join('/');
  return nameOf(target.path) === nameOf(place.path)
    ? t('review.moveTo', { folder: where })
    : t('review.moveAs', { folder: where, name: stemOf(target.path) });
}

/** What a folder holds: also what no list shows. */
export function contentsWords({ files, folders, hidden, unindexed, bytes: size }: FolderContents): string {
  const facts = [t('review.contents', { files, folders })];
  if (hidden > 0) facts.push(t('review.contents.hidden', { count: hidden }));
  if (unindexed > 0) facts.push(t('review.contents.unindexed', { count: unindexed }));
  if (size > 0) facts.push(bytes(size));
  return facts.join(t('list.comma'));
}

export function sizeWords({ before, after }: Sizes): string {
  if (before !== null && after !== null) return `${bytes(before)} → ${bytes(after)}`;
  return bytes(before ?? after ?? 0);
}

/** What an operation does and how far it is, in one line; `undone`: its set was taken back. */
export function operationFacts(operation: Operation, undone: boolean, knowledgeBase: (id: number) => string = () => ''): string {
  const { kind, state, hunks, hunksAccepted: accepted, hunksRejected: rejected, note, warnings, sizes, contents } = operation;
  const facts = [kindWords(operation, knowledgeBase)];
  // Taken in part: the parts say more than the word.
  const parted = state === 'undecided' || (state === 'accepted' && rejected > 0);
  if (parted && kind === 'edit' && hunks > 0) facts.push(t('review.hunks', { count: hunks, accepted, rejected }));
  else if (state === 'applied' && undone) facts.push(t('review.state.undone'));
  else if (state !== 'undecided' && !(note !== null && (state === 'conflict' || state === 'failed'))) facts.push(t(`review.operation.${state}`));
  if (contents !== null) facts.push(contentsWords(contents));
  else if (sizes !== null) facts.push(sizeWords(sizes));
  if ((state === 'conflict' || state === 'failed') && note !== null) facts.push(noteWords(note));
  for (const warning of warnings) facts.push(describeWarning(warning));
  return facts.join(' · ');
}

export function lineWords(line: CommentLine): string {
  return line.side === 'operation' ? t('review.comment.whole') : t('review.comment.line', { line: line.line });
}
