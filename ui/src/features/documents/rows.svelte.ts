import { SvelteMap } from 'svelte/reactivity';
import { asApiError, call, type ApiError } from '../../api/client';
import type { FilePlace } from '../../api/generated/commands';

/** Rows that are asked for together. */
export const TOGETHER = 200;
/** Runs that are kept; the ones not looked at for longest go first. */
const KEPT = 40;

/** The rows of a sheet, as far as they were looked at. */
export class SheetRows {
  failure = $state.raw<ApiError>();
  #runs = new SvelteMap<number, string[][]>();
  #asked = new Map<number, Promise<void>>();

  constructor(
    readonly place: FilePlace,
    /** From 1. */
    readonly sheet: number,
  ) {}

  /** A row by its index from 0; nothing while it is on its way. */
  row(index: number): readonly string[] | undefined {
    const run = this.#runs.get(Math.floor(index / TOGETHER));
    // Rows at the end that hold nothing are not given.
    return run && (run[index % TOGETHER] ?? []);
  }

  /** Asks for what is missing of some rows, and waits until they are there. */
  want(first: number, end: number): Promise<void> {
    const asking: (Promise<void> | undefined)[] = [];
    for (let run = Math.floor(first / TOGETHER); run * TOGETHER < end; run += 1) {
      if (!this.#asked.has(run)) this.#asked.set(run, this.#ask(run));
      asking.push(this.#asked.get(run));
    }
    return Promise.all(asking).then(() => undefined);
  }

  retry(first: number, end: number): void {
    this.failure = undefined;
    void this.want(first, end);
  }

  async #ask(run: number): Promise<void> {
    try {
      const { rows } = await call('document.rows', { place: this.place, sheet: this.sheet, from: run * TOGETHER + 1, limit: TOGETHER });
      this.#runs.set(run, rows);
      this.failure = undefined;
      for (const old of this.#runs.keys()) {
        if (this.#runs.size <= KEPT) break;
        // The first has the heads.
        if (old === 0 || Math.abs(old - run) <= 2) continue;
        this.#runs.delete(old);
        this.#asked.delete(old);
      }
    } catch (reason) {
      this.#asked.delete(run);
      this.failure = asApiError(reason);
    }
  }
}
