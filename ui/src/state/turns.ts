import { asApiError, call } from '../api/client';
import { live } from '../kit/live.svelte';
import { describeError, t } from '../messages/index.svelte';
import { undoChanges } from './changes';
import { followMoves } from './moves';
import { toasts } from './toast.svelte';
import { workspace } from './workspace.svelte';

/** Takes back all that a turn of the assistant changed. That is a change of its own, and can be undone like any. */
export async function takeBackTurn(sessionId: string, turnId: number): Promise<void> {
  try {
    await workspace.saveAll();
    const done = await call('history.restoreTurn', { sessionId, turnId, within: null });
    const { operations } = await call('change.get', { changeSetId: done.changeSetId });
    followMoves(operations.filter(({ id }) => done.applied.includes(id)));
    if (done.conflicts.length > 0) {
      toasts.show(t('assistant.turnBlocked'), {
        tone: 'danger',
        action: { label: t('assistant.changes.review'), run: () => void workspace.openReview(done.changeSetId) },
      });
    }
    if (done.applied.length === 0) return;
    const text = t('assistant.turnTakenBack', { count: done.applied.length });
    live.say(text);
    toasts.show(text, { action: { label: t('review.undo'), run: () => void undoChanges(done.changeSetId) } });
  } catch (reason) {
    toasts.show(describeError(asApiError(reason)), { tone: 'danger' });
  }
}
