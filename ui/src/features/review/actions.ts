import { asApiError, call } from '../../api/client';
import type { Applied, ChangeSet, CommentLine, Decision, HunkDecision, Operation } from '../../api/generated/commands';
import { live } from '../../kit/live.svelte';
import { describeError, t } from '../../messages/index.svelte';
import { undoChanges } from '../../state/changes';
import { followMoves } from '../../state/moves';
import { samePlace } from '../../state/place';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';
import { isDecidable, isOpen, isUndone, readyOf, tick, wholly } from './decisions';

const turns = new Map<number, Promise<unknown>>();

/**
 * What is done to a set is done one after the other, as the keys were pressed: answers come in any order, and what was
 * accepted before everything is applied has to be among it.
 */
export function inTurn<T>(changeSetId: number, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(changeSetId) ?? Promise.resolve()).then(work);
  const over = turn.then(
    () => undefined,
    () => undefined,
  );
  turns.set(changeSetId, over);
  void over.then(() => turns.get(changeSetId) === over && turns.delete(changeSetId));
  return turn;
}

/** The same with the set as it is by then: what the page knows of it may be older. */
function withSet<T>(changeSetId: number, work: (set: ChangeSet) => Promise<T>): Promise<T> {
  return inTurn(changeSetId, async () => work(await call('change.get', { changeSetId })));
}

export function decide(changeSetId: number, operationId: number, hunk: number | null, decision: HunkDecision) {
  const decisions: Decision[] = [{ operationId, hunk, decision }];
  return inTurn(changeSetId, () => call('change.review', { changeSetId, decisions }));
}

/** Decides on all of an operation; links follow their move. */
export function decideWhole({ id, changeSetId }: Operation, decision: (operation: Operation) => HunkDecision): Promise<void> {
  return withSet(changeSetId, async ({ summary, operations }) => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined || isUndone(summary) || !isDecidable(operation)) return;
    await call('change.review', { changeSetId, decisions: wholly(operation, decision(operation), operations) });
  });
}

/** Accepts all of an operation, or takes that back. */
export function toggleWhole(operation: Operation): Promise<void> {
  return decideWhole(operation, (one) => (tick(one) === true ? 'undecided' : 'accepted'));
}

/** Applies what is accepted; the result can be taken back from the toast. */
export async function applyAccepted(changeSetId: number): Promise<Applied> {
  const applied = await withSet(changeSetId, async ({ operations }) => {
    const ready = readyOf(operations).map(({ id }) => id);
    const done = await call('change.apply', { changeSetId, operations: ready, all: false });
    followMoves(operations.filter(({ id }) => done.applied.includes(id)));
    return done;
  });
  if (applied.applied.length > 0) {
    const left = applied.conflicts.length > 0 ? ` ${t('review.conflictsLeft', { count: applied.conflicts.length })}` : '';
    const text = t('review.appliedToast', { count: applied.applied.length }) + left;
    live.say(text);
    toasts.show(text, { action: { label: t('review.undoAll'), run: () => void undoChanges(changeSetId) } });
  } else if (applied.conflicts.length > 0) live.alert(t('review.conflictsLeft', { count: applied.conflicts.length }));
  return applied;
}

/** Rejects what still waits; for as long as the toast stands, all decisions can be had back. */
export async function rejectWaiting(changeSetId: number): Promise<void> {
  const [count, before] = await withSet(changeSetId, async (set) => {
    const decided = await Promise.all(set.operations.filter(isOpen).map(decisionsOf));
    await call('change.reject', { changeSetId });
    return [waiting(set), decided.flat()] as const;
  });
  const text = t('review.rejectedToast', { count });
  live.say(text);
  const back = () => {
    inTurn(changeSetId, () => call('change.review', { changeSetId, decisions: before })).catch((reason: unknown) => {
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

export function comment({ id: operationId, changeSetId }: Operation, line: CommentLine, text: string) {
  return inTurn(changeSetId, () => call('change.comment', { operationId, line, text }));
}

/** All comments that were not sent go to the assistant as one message. */
export async function sendComments(changeSetId: number): Promise<void> {
  await inTurn(changeSetId, () => call('change.sendComments', { changeSetId }));
  live.say(t('review.comment.sent'));
}

/** Shows what stands for an operation whose conflict was resolved. */
export function openResolved(set: ChangeSet, { id, place }: Operation): void {
  const same = set.operations.find((one) => one.id === id);
  const fresh = same?.state !== 'conflict' && same?.state !== 'rejected' ? same : undefined;
  const there = set.operations.findLast((one) => samePlace(one.place, place) && one.state === 'undecided');
  live.say(t('review.conflict.proposed'));
  workspace.openReview(set.summary.id, (fresh ?? there)?.id);
}

/** A move or a delete whose file changed meanwhile waits anew, to be made with what is there now. */
export async function proposeForNow(operation: Operation): Promise<void> {
  const set = await inTurn(operation.changeSetId, () =>
    call('change.resolve', { operationId: operation.id, choices: [{ take: 'proposal' }], disk: null }),
  );
  openResolved(set, operation);
}

/** What was rejected waits again, in a set of its own or in the one that is open; it is shown. */
export async function proposeAgain({ id: operationId, changeSetId }: Operation, hunk: number | null): Promise<void> {
  const set = await inTurn(changeSetId, () => call('change.proposeAgain', { operationId, hunk }));
  const fresh = set.operations.findLast(isOpen);
  live.say(t('review.proposedAgain'));
  workspace.openReview(set.summary.id, fresh?.id);
}
