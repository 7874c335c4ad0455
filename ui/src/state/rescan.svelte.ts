import { call, theHost } from '../api/client';
import type { KnowledgeBase, ScanState } from '../api/generated/commands';
import { app, isPaused } from './app.svelte';

/** A scan that ended this short a while ago is not repeated, in milliseconds. */
const RECENT = 30_000;

/** Knowledge bases as far as looking at them again is concerned. */
interface Bases {
  readonly knowledgeBases: readonly KnowledgeBase[];
  scanOf(kb: KnowledgeBase): ScanState;
}

/**
 * Looks at folders again. Events of the system can be lost, above all on network disks and while the machine sleeps:
 * when the window gets the focus, what its user sees should be what is on the disk.
 */
export class Rescan {
  readonly #asked = new Map<number, number>();
  /** When the user paused one here: only the user lets it go on. */
  readonly #paused = new Map<number, number>();
  readonly #bases: Bases;
  readonly #now: () => number;

  constructor(bases: Bases = app, now: () => number = Date.now) {
    this.#bases = bases;
    this.#now = now;
  }

  /** Looks whenever the window gets the focus, until the returned function is called. */
  followFocus(): () => void {
    return theHost().onFocus(() => this.lookAgain());
  }

  /** Looks at what was scanned before, is at rest, and was not looked at a moment ago. */
  lookAgain(): void {
    const now = this.#now();
    for (const kb of this.#bases.knowledgeBases) {
      const scan = this.#bases.scanOf(kb);
      if (kb.offline || kb.scannedAt === null || scan.phase !== 'idle') continue;
      // A scan that ended since says that it was let go on.
      if (isPaused(kb, scan) || (this.#paused.get(kb.id) ?? -1) >= kb.scannedAt) continue;
      if (now - Math.max(kb.scannedAt, this.#asked.get(kb.id) ?? 0) < RECENT) continue;
      this.#asked.set(kb.id, now);
      this.#rescan(kb.id);
    }
  }

  pause(kbId: number): void {
    this.#paused.set(kbId, this.#now());
    void call('kb.pause', { kbId }).catch(() => this.#paused.delete(kbId));
  }

  /** Gives the scan up: what changes from now on is taken in, the rest is not found until the user lets it go on. */
  cancel(kbId: number): void {
    void call('kb.cancel', { kbId }).catch(() => undefined);
  }

  resume(kbId: number): void {
    this.#rescan(kbId);
  }

  /** Everything that can be reached, because the user says so. */
  all(): void {
    for (const kb of this.#bases.knowledgeBases) if (!kb.offline) this.#rescan(kb.id);
  }

  #rescan(kbId: number): void {
    this.#paused.delete(kbId);
    void call('kb.rescan', { kbId }).catch(() => undefined);
  }
}

export const rescan = new Rescan();
