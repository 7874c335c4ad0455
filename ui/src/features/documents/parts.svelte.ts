import { asApiError, call, type ApiError } from '../../api/client';
import type { DocumentBlock, FilePlace } from '../../api/generated/commands';

/** Blocks that are asked for and drawn together. */
export const TOGETHER = 150;

/** A run of blocks. It is loaded when it comes near what is seen. */
export class Part {
  blocks = $state.raw<DocumentBlock[]>();
  failure = $state.raw<ApiError>();
  /** The last block of the run before. */
  before: DocumentBlock | undefined;
  #flight: Promise<void> | undefined;

  constructor(
    readonly place: FilePlace,
    /** From 1. */
    readonly from: number,
    readonly count: number,
  ) {}

  load(): Promise<void> {
    if (this.blocks !== undefined) return Promise.resolve();
    this.#flight ??= this.#ask();
    return this.#flight;
  }

  async #ask(): Promise<void> {
    this.failure = undefined;
    try {
      // With the block before, which says whether a page or chapter begins here.
      const before = this.from > 1 ? 1 : 0;
      const { blocks } = await call('document.blocks', { place: this.place, from: this.from - before, limit: this.count + before });
      this.before = before === 1 ? blocks[0] : undefined;
      this.blocks = blocks.slice(before);
    } catch (reason) {
      this.failure = asApiError(reason);
    }
    this.#flight = undefined;
  }
}

/** All runs of a document of so many blocks. */
export function partsOf(place: FilePlace, total: number): Part[] {
  const parts: Part[] = [];
  for (let from = 1; from <= total; from += TOGETHER) parts.push(new Part(place, from, Math.min(TOGETHER, total - from + 1)));
  return parts;
}

/** Index of the run that holds a block. */
export function partAt(block: number): number {
  return Math.max(0, Math.floor((block - 1) / TOGETHER));
}
