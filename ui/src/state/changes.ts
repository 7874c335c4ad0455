import { asApiError, call } from '../api/client';
import { live } from '../kit/live.svelte';
import { describeError, t } from '../messages/index.svelte';
import { followMoves } from './moves';
import { stemOf } from './place';
import { toasts } from './toast.svelte';
import { workspace } from './workspace.svelte';

/**
 * Takes back what a change set did. Where files went on meanwhile nothing of theirs is lost: the undo itself waits
 * for review, and the toast leads there.
 */
export async function undoChanges(changeSetId: number): Promise<void> {
  try {
    const taken = await call('change.undo', { changeSetId });
    const { operations } = await call('change.get', { changeSetId: taken.changeSetId });
    followMoves(operations.filter(({ id }) => taken.applied.includes(id)));
    if (taken.conflicts.length === 0) {
      live.say(t('review.undone', { count: taken.applied.length }));
      return;
    }
    const moved = operations.filter(({ id }) => taken.conflicts.includes(id));
    const names = moved.map(({ place }) => stemOf(place.path)).join(', ');
    toasts.show(t('review.undoBlocked', { names }), {
      tone: 'danger',
      action: { label: t('review.reviewUndo'), run: () => void workspace.openReview(taken.changeSetId) },
    });
  } catch (reason) {
    toasts.show(describeError(asApiError(reason)), { tone: 'danger' });
  }
}
