import type { ChangeSetSummary, Operation } from '../../api/generated/commands';
import { describeWarning, t } from '../../messages/index.svelte';
import { stemOf } from '../../state/place';

/** A set in one line: its files, else where it comes from. */
export function setLabel({ names, operations, provenance }: ChangeSetSummary): string {
  const shown = names.slice(0, 2).map(stemOf);
  if (shown.length === 0) return t(`review.from.${provenance.source}`);
  const listed = t('review.names', { names: shown.join(', '), more: operations - shown.length });
  return provenance.source === 'undo' ? `${t('review.from.undo')}: ${listed}` : listed;
}

/** A file's name in the list; what is created shows its folder too. */
export function operationName({ kind, place }: Operation): string {
  const stem = stemOf(place.path);
  if (kind === 'edit') return stem;
  const folder = place.path.split('/').at(-2);
  return folder === undefined ? stem : `${folder}/${stem}`;
}

/** What an operation does and how far it is, in one line; `undone`: its set was taken back. */
export function operationFacts(operation: Operation, undone: boolean): string {
  const { kind, state, hunks, hunksAccepted: accepted, hunksRejected: rejected, note, warnings } = operation;
  const facts = [t(`review.kind.${kind}`)];
  if (state === 'undecided' && kind === 'edit') facts.push(t('review.hunks', { count: hunks, accepted, rejected }));
  else if (state === 'applied' && undone) facts.push(t('review.state.undone'));
  else if (state !== 'undecided') facts.push(t(`review.operation.${state}`));
  if ((state === 'conflict' || state === 'failed') && note !== null) facts.push(note);
  for (const warning of warnings) facts.push(describeWarning(warning));
  return facts.join(' · ');
}
