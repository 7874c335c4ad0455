import { type ApiError, asApiError, call } from '../../api/client';
import type { FileInfo } from '../../api/generated/commands';
import { isDocument } from '../../state/kinds';

/** Reads files anew that could not be read: documents one by one, notes by a scan of their folders. */
export class Retry {
  done = $state(0);
  /** 0: none is under way. */
  total = $state(0);
  error = $state.raw<ApiError>();
  #round = 0;

  async run(files: readonly FileInfo[]): Promise<void> {
    const round = ++this.#round;
    this.error = undefined;
    this.done = 0;
    this.total = files.length;
    const documents = files.filter(({ kind }) => isDocument(kind));
    const bases = new Set(files.filter(({ kind }) => !isDocument(kind)).map(({ kbId }) => kbId));
    const asked = [
      ...[...bases].map((kbId) => () => call('kb.rescan', { kbId })),
      ...documents.map(({ kbId, path }) => () => call('document.retry', { place: { kbId, path } })),
    ];
    this.done = files.length - documents.length;
    for (const [n, ask] of asked.entries()) {
      try {
        await ask();
      } catch (reason) {
        // One that is gone or still cannot be reached says so in the list; the others are tried all the same.
        if (round === this.#round) this.error = asApiError(reason);
      }
      if (round !== this.#round) return;
      if (n >= bases.size) this.done += 1;
    }
    this.total = 0;
  }

  /** Begins no other file; the one that is being read is read to its end. */
  stop(): void {
    this.#round += 1;
    this.total = 0;
  }
}
