import { call } from '../../api/client';
import type { Applied, ChangeSet, Decision, HunkDecision } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';
import { live } from '../../kit/live.svelte';
import { stemOf } from '../../state/place';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';
import { isOpen, isReady } from './decisions';

export function decide(changeSetId: number, operationId: number, hunk: number | null, decision: HunkDecision) {
  const decisions: Decision[] = [{ operationId, hunk, decision }];
  return call('change.review', { changeSetId, decisions });
}

/** Applies what is accepted; the result can be taken back from the toast. */
export async function applyAccepted({ summary, operations }: ChangeSet): Promise<Applied> {
  const ready = operations.filter(isReady).map(({ id }) => id);
  const applied = await call('change.apply', { changeSetId: summary.id, operations: ready, all: false });
  if (applied.applied.length > 0) {
    const text = t('review.appliedToast', { count: applied.applied.length });
    live.say(text);
    toasts.show(text, { action: { label: t('review.undoAll'), run: () => void undo(summary.id) } });
  }
  if (applied.conflicts.length > 0) live.alert(t('review.conflictsLeft', { count: applied.conflicts.length }));
  return applied;
}

/** Rejects what still waits. */
export async function rejectWaiting({ summary }: ChangeSet): Promise<void> {
  await call('change.reject', { changeSetId: summary.id });
}

/** Takes back what a set did. Where files went on meanwhile, the undo itself opens for review. */
export async function undo(changeSetId: number): Promise<void> {
  const taken = await call('change.undo', { changeSetId });
  if (taken.conflicts.length === 0) {
    live.say(t('review.undone', { count: taken.applied.length }));
    return;
  }
  const set = await call('change.get', { changeSetId: taken.changeSetId });
  const moved = set.operations.filter(({ id }) => taken.conflicts.includes(id));
  const names = moved.map(({ place }) => stemOf(place.path)).join(', ');
  toasts.show(t('review.undoBlocked', { names }), {
    tone: 'danger',
    action: { label: t('review.reviewUndo'), run: () => void workspace.openReview(taken.changeSetId) },
  });
}

export function waiting({ operations }: ChangeSet): number {
  return operations.filter(isOpen).length;
}
