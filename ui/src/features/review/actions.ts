import { call } from '../../api/client';
import type { Applied, ChangeSet, Decision, HunkDecision } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';
import { live } from '../../kit/live.svelte';
import { undoChanges } from '../../state/changes';
import { toasts } from '../../state/toast.svelte';
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
    toasts.show(text, { action: { label: t('review.undoAll'), run: () => void undoChanges(summary.id) } });
  }
  if (applied.conflicts.length > 0) live.alert(t('review.conflictsLeft', { count: applied.conflicts.length }));
  return applied;
}

/** Rejects what still waits. */
export async function rejectWaiting({ summary }: ChangeSet): Promise<void> {
  await call('change.reject', { changeSetId: summary.id });
}

export function waiting({ operations }: ChangeSet): number {
  return operations.filter(isOpen).length;
}
