import { SvelteMap } from 'svelte/reactivity';
import type { HunkDecision } from '../../api/generated/commands';

interface One {
  readonly decision: HunkDecision;
  /** The backend has taken it. */
  done: boolean;
  /** An answer came since that does not know of it: it was asked for before. */
  late: boolean;
}

/** Decisions on hunks that are on their way, shown as if they were there. */
export class Sent {
  readonly #hunks = new SvelteMap<number, One>();

  of(hunk: number): HunkDecision | undefined {
    return this.#hunks.get(hunk)?.decision;
  }

  put(hunk: number, decision: HunkDecision): One {
    const one = { decision, done: false, late: false };
    this.#hunks.set(hunk, one);
    return one;
  }

  /** What became of it. One that was refused is shown no longer. */
  settle(hunk: number, one: One, done: boolean): void {
    one.done = done;
    if (!done && this.#hunks.get(hunk) === one) this.#hunks.delete(hunk);
  }

  /** Decisions as an answer has them. What was taken need not be shown as sent once an answer has it, or should. */
  meet(decisions: readonly HunkDecision[]): void {
    for (const [hunk, one] of this.#hunks) {
      if (!one.done) continue;
      if (decisions[hunk] === one.decision || one.late) this.#hunks.delete(hunk);
      else one.late = true;
    }
  }

  clear(): void {
    this.#hunks.clear();
  }
}
