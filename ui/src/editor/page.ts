import { finish, markMissing, type Port } from './prose';
import { markdownBlocks, SlowBlocks, type Block, type RenderOptions } from './render';

/** Blocks drawn with the first look; more than a screen holds. The rest of a long note follows a slice at a time. */
const AT_ONCE = 120;
/** A source longer than this is parsed a slice at a time, in UTF-16 units. */
const LONG = 60_000;
/** What a slice may take, in milliseconds: keys and scrolling come between two of them. */
const SLICE_MS = 8;

/** Markdown in an element that follows its source: what did not change stays, with its focus and its pictures. */
export class Page {
  #blocks: Block[] = [];
  /** Blocks that are in the element; those after them are to be drawn yet. */
  #drawn = 0;
  /** The whole of a long note, which is being parsed. */
  #slow: SlowBlocks | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leave: () => void;

  constructor(
    private readonly element: HTMLElement,
    private readonly port: Port,
  ) {
    this.#leave = port.watch(() => markMissing(element, port));
  }

  show(source: string, options: RenderOptions): void {
    this.#slow = undefined;
    if (source.length <= LONG) {
      this.#take(markdownBlocks(source, options));
      return;
    }
    // What a long note begins with is there at once; the whole takes its place when it is parsed.
    if (this.#blocks.length === 0) {
      const end = source.lastIndexOf('\n\n', LONG);
      this.#take(markdownBlocks(source.slice(0, end < 0 ? LONG : end + 1), options));
    }
    this.#slow = new SlowBlocks(source, options);
    this.#later();
  }

  /** Draws as far as a line of the note is in the element. */
  drawTo(line: number): void {
    if (lastLine(this.element) > line) return;
    const whole = this.#slow?.step(Infinity);
    if (whole !== undefined) this.#take(whole);
    while (this.#drawn < this.#blocks.length && lastLine(this.element) <= line) this.#more(this.#drawn + AT_ONCE);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }

  #take(blocks: Block[]): void {
    this.#slow = undefined;
    const old = this.#blocks;
    const shorter = Math.min(blocks.length, old.length);
    let start = 0;
    while (start < shorter && blocks[start]?.key === old[start]?.key) start++;
    let same = 0;
    while (same < shorter - start && blocks.at(-1 - same)?.key === old.at(-1 - same)?.key) same++;
    const focused = this.element.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset['at']
      : undefined;

    this.#blocks = blocks;
    // Of long notes the blocks far from the window are laid out when they come near it.
    this.element.classList.toggle('prose-long', blocks.length > AT_ONCE);
    const changed = blocks.length - same - start;
    if (this.#drawn === old.length && changed <= AT_ONCE) {
      for (const node of [...this.element.childNodes].slice(start, old.length - same)) node.remove();
      this.#draw(start, start + changed);
      this.#drawn = blocks.length;
    } else {
      // What is below the change is drawn anew, and what was to be drawn yet still is.
      const before = this.#drawn;
      this.#drawn = Math.min(start, before);
      for (const node of [...this.element.childNodes].slice(this.#drawn)) node.remove();
      this.#more(Math.max(AT_ONCE, before));
    }
    this.#later();
    if (focused !== undefined) this.element.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  }

  #more(end: number): void {
    const until = Math.min(end, this.#blocks.length);
    this.#draw(this.#drawn, until);
    this.#drawn = until;
  }

  /** Puts blocks in front of the node that stands where they belong. */
  #draw(start: number, end: number): void {
    const drawn = document.createDocumentFragment();
    for (const block of this.#blocks.slice(start, end)) drawn.append(block.draw());
    finish(drawn, this.port);
    this.element.insertBefore(drawn, this.element.childNodes[start] ?? null);
  }

  /** Goes on with what is left to parse and to draw, when nothing else is to be done. */
  #later(): void {
    clearTimeout(this.#timer);
    if (this.#slow === undefined && this.#drawn >= this.#blocks.length) return;
    this.#timer = setTimeout(() => {
      const until = performance.now() + SLICE_MS;
      const whole = this.#slow?.step(until);
      if (whole !== undefined) this.#take(whole);
      while (this.#slow === undefined && this.#drawn < this.#blocks.length && performance.now() < until) this.#more(this.#drawn + 10);
      this.#later();
    });
  }
}

/** The line at which the last block begins; 0 where none is. */
function lastLine(element: HTMLElement): number {
  const last = element.lastElementChild;
  const lined = last?.matches('[data-line]') === true ? [last] : [...(last?.querySelectorAll('[data-line]') ?? [])];
  return Number((lined.at(-1) as HTMLElement | undefined)?.dataset['line'] ?? 0);
}
