import type { ChangeSetSummary, CommentLine, FolderContents, Operation, Sizes } from '../../api/generated/commands';
import { bytes, describeNote, describeWarning, t } from '../../messages/index.svelte';
import { folderOf, nameOf, stemOf } from '../../state/place';
import { isSettled } from './decisions';

/** A set in one line: its files, else where it comes from. */
export function setLabel({ names, operations, provenance }: ChangeSetSummary): string {
  const shown = names.slice(0, 2).map(stemOf);
  if (shown.length === 0) return t(`review.from.${provenance.source}`);
  const listed = t('review.names', { names: shown.join(t('list.comma')), more: operations - shown.length });
  return provenance.source === 'undo' ? `${t('review.from.undo')}: ${listed}` : listed;
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
  /** Its note says more than the word for its state. */
  const told = note !== null && (state === 'conflict' || state === 'failed' || isSettled(operation));
  // Taken in part: the parts say more than the word.
  const parted = state === 'undecided' || (state === 'accepted' && rejected > 0);
  if (parted && kind === 'edit' && hunks > 0) facts.push(t('review.hunks', { count: hunks, accepted, rejected }));
  else if (state === 'applied' && undone) facts.push(t('review.state.undone'));
  else if (state !== 'undecided' && !told) facts.push(t(`review.operation.${state}`));
  if (contents !== null) facts.push(contentsWords(contents));
  else if (sizes !== null && kind !== 'move') facts.push(sizeWords(sizes));
  if (told) facts.push(describeNote(note));
  // A mark of a conflict says what its note says.
  for (const warning of warnings) if (warning.code !== note?.code) facts.push(describeWarning(warning));
  return facts.join(' · ');
}

export function lineWords(line: CommentLine): string {
  return line.side === 'operation' ? t('review.comment.whole') : t('review.comment.line', { line: line.line });
}
