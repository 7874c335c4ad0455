import { SvelteMap } from 'svelte/reactivity';
import type { ApprovalId, Event, SessionId, TurnId } from '../api/generated/commands';

/** Questions that wait for an answer in any conversation, as far as they were heard of: told where the assistant is out of sight. */
export class Approvals {
  readonly #waiting = new SvelteMap<ApprovalId, { sessionId: SessionId; turnId: TurnId }>();

  get count(): number {
    return this.#waiting.size;
  }

  take(event: Event): void {
    if (event.type === 'approval') {
      const { id, sessionId, turnId, state } = event.approval;
      if (state === 'waiting') this.#waiting.set(id, { sessionId, turnId });
      else this.#waiting.delete(id);
    } else if (event.type === 'turnEnded') {
      // They expire with their turn.
      for (const [id, of] of this.#waiting) {
        if (of.sessionId === event.sessionId && of.turnId === event.turnId) this.#waiting.delete(id);
      }
    } else if (event.type === 'resync') this.#waiting.clear();
  }
}

export const approvals = new Approvals();
