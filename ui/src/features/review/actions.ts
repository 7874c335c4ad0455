import { asApiError, call } from '../../api/client';
import type { Applied, ChangeSet, CommentLine, Decision, HunkDecision, Operation } from '../../api/generated/commands';
import { live } from '../../kit/live.svelte';
import { describeError, t } from '../../messages/index.svelte';
import { undoChanges } from '../../state/changes';
import { followMoves } from '../../state/moves';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';
import { isOpen, isReady, wholly } from './decisions';

export function decide(changeSetId: number, operationId: number, hunk: number | null, decision: HunkDecision) {
  const decisions: Decision[] = [{ operationId, hunk, decision }];
  return call('change.review', { changeSetId, decisions });
}

/** Decides on all of an operation; links follow their move. */
export function decideWhole(operation: Operation, decision: HunkDecision, operations: readonly Operation[]) {
  return call('change.review', { changeSetId: operation.changeSetId, decisions: wholly(operation, decision, operations) });
}

/** Applies what is accepted; the result can be taken back from the toast. */
export async function applyAccepted({ summary, operations }: ChangeSet): Promise<Applied> {
  const ready = operations.filter(isReady).map(({ id }) => id);
  const applied = await call('change.apply', { changeSetId: summary.id, operations: ready, all: false });
  followMoves(operations.filter(({ id }) => applied.applied.includes(id)));
  if (applied.applied.length > 0) {
    const text = t('review.appliedToast', { count: applied.applied.length });
    live.say(text);
    toasts.show(text, { action: { label: t('review.undoAll'), run: () => void undoChanges(summary.id) } });
  }
  if (applied.conflicts.length > 0) live.alert(t('review.conflictsLeft', { count: applied.conflicts.length }));
  return applied;
}

/** Rejects what still waits; for as long as the toast stands, all decisions can be had back. */
export async function rejectWaiting(set: ChangeSet): Promise<void> {
  const changeSetId = set.summary.id;
  const before = (await Promise.all(set.operations.filter(isOpen).map(decisionsOf))).flat();
  const count = waiting(set);
  await call('change.reject', { changeSetId });
  const text = t('review.rejectedToast', { count });
  live.say(text);
  const back = () => {
    call('change.review', { changeSetId, decisions: before }).catch((reason: unknown) => {
      toasts.show(describeError(asApiError(reason)), { tone: 'danger' });
    });
  };
  toasts.show(text, { action: { label: t('review.takeBack'), run: back } });
}

/** What brings an operation to where it is. */
async function decisionsOf(operation: Operation): Promise<Decision[]> {
  const { id: operationId, state, hunksAccepted, hunksRejected } = operation;
  const whole: Decision = { operationId, hunk: null, decision: state === 'accepted' ? 'accepted' : 'undecided' };
  if (hunksAccepted + hunksRejected === 0) return [whole];
  const { hunks } = await call('change.diff', { operationId });
  return [whole, ...hunks.map(({ index, decision }) => ({ operationId, hunk: index, decision }))];
}

export function waiting({ operations }: ChangeSet): number {
  return operations.filter(isOpen).length;
}

export function comment(operationId: number, line: CommentLine, text: string) {
  return call('change.comment', { operationId, line, text });
}

/** All comments that were not sent go to the assistant as one message. */
export async function sendComments(changeSetId: number): Promise<void> {
  await call('change.sendComments', { changeSetId });
  live.say(t('review.comment.sent'));
}

/** What was rejected waits again, in a set of its own or in the one that is open; it is shown. */
export async function proposeAgain(operationId: number, hunk: number | null): Promise<void> {
  const set = await call('change.proposeAgain', { operationId, hunk });
  const fresh = set.operations.findLast(isOpen);
  live.say(t('review.proposedAgain'));
  workspace.openReview(set.summary.id, fresh?.id);
}
