import { asApiError, call, type ApiError } from '../../api/client';
import type { DocumentBlock, FilePlace, Spot } from '../../api/generated/commands';
import { partOf } from '../../state/where';
import { matchesIn, type Marks } from './marks';

/** Blocks that are looked through together. */
const TOGETHER = 1000;
/** More than these are not counted. */
const MOST = 10_000;

export interface Found {
  block: number;
  /** Which one of its block it is, from 0. */
  nth: number;
  spot: Spot;
}

type Searched = Pick<DocumentBlock, 'block' | 'text' | 'spot'>;

/** Finding in one document, and the words of a search that led to it. */
export class Find {
  open = $state(false);
  text = $state('');
  found = $state.raw<readonly Found[]>([]);
  at = $state<number>();
  /** Not all of the document is looked through yet. */
  busy = $state(false);
  failure = $state.raw<ApiError>();
  /** There are more. */
  readonly full = $derived(this.found.length >= MOST);
  /** Words of a search that led here; the next action ends them. */
  led = $state.raw<Marks>({ words: [] });
  readonly marks = $derived.by((): Marks => {
    if (!this.open) return this.led;
    return { words: this.text === '' ? [] : [this.text], here: this.at === undefined ? undefined : this.found[this.at] };
  });
  #run = 0;
  #known = new Map<number, Promise<Searched[]>>();

  constructor(
    readonly place: FilePlace,
    /** Shows a match. */
    readonly go: (found: Found) => void,
  ) {}

  /** What was read is of other bytes now. */
  forget(): void {
    this.#known.clear();
  }

  close(): void {
    this.#run += 1;
    this.open = this.busy = false;
    this.#known.clear();
  }

  /** Looks through `total` blocks, and shows the first match in `part` (a page, slide, chapter or sheet) or after it. */
  async look(text: string, total: number, part: number): Promise<void> {
    const run = ++this.#run;
    this.text = text;
    this.found = [];
    this.at = this.failure = undefined;
    this.busy = text !== '';
    try {
      for (let from = 1; this.busy && from <= total; from += TOGETHER) {
        const blocks = await this.#blocks(from);
        if (run !== this.#run) return;
        const more = blocks.flatMap(({ block, text: words, spot }) => matchesIn(words, [text]).map((_, nth) => ({ block, nth, spot })));
        if (more.length > 0) this.found = [...this.found, ...more].slice(0, MOST);
        if (this.at === undefined) this.show(this.found.findIndex(({ spot }) => partOf(spot) >= part));
        if (this.full) break;
      }
      if (this.at === undefined) this.show(0);
    } catch (reason) {
      if (run === this.#run) this.failure = asApiError(reason);
    } finally {
      if (run === this.#run) this.busy = false;
    }
  }

  /** The next match, or the one before; past the end it begins anew. */
  step(by: 1 | -1): void {
    const count = this.found.length;
    if (count > 0) this.show(((this.at ?? (by > 0 ? -1 : 0)) + by + count) % count);
  }

  show(index: number): void {
    const found = this.found[index];
    if (found === undefined) return;
    this.at = index;
    this.go(found);
  }

  #blocks(from: number): Promise<Searched[]> {
    let blocks = this.#known.get(from);
    if (blocks === undefined) {
      // Of the blocks only what is searched is kept.
      blocks = call('document.blocks', { place: this.place, from, limit: TOGETHER }).then((page) => page.blocks.map(({ block, text, spot }) => ({ block, text, spot })));
      blocks.catch(() => this.#known.delete(from));
      this.#known.set(from, blocks);
    }
    return blocks;
  }
}
