/** Markdown as it arrives: blocks that can change no more, and the one still being written. */
export class Segments {
  readonly finished: string[] = [];
  private open = '';

  get tail(): string {
    return this.open;
  }

  get text(): string {
    return this.finished.join('') + this.open;
  }

  /** Adds a piece; returns whether a block was finished by it. */
  push(delta: string): boolean {
    this.open += delta;
    const end = lastBoundary(this.open);
    if (end === 0) return false;
    this.finished.push(...cut(this.open.slice(0, end)));
    this.open = this.open.slice(end);
    return true;
  }
}

/** Whole Markdown in the same blocks that streaming makes, so that a finished answer is not redrawn. */
export function segment(text: string): string[] {
  return cut(text);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?:\t| {2,})\S/;

/** Offsets where a new block starts for certain, in order. */
function* boundaries(text: string): Generator<number> {
  let fence: string | null = null;
  let list = false;
  let blank = false;
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const line = text.slice(start, newline < 0 ? text.length : newline);
    const opened = FENCE.exec(line)?.[1];
    const whole = newline >= 0;
    if (blank && fence === null && line.trim() !== '') {
      // A list goes on over blank lines; so does what is indented under it. The first characters of a
      // line that has not arrived whole may still become either.
      const undecided = !whole && list && /^\s*(?:[-*+]|\d{0,9}[.)]?)$/.test(line);
      const continues = list && (LIST.test(line) || INDENTED.test(line));
      if (!continues && !undecided) {
        yield start;
        list = false;
      }
    }
    if (fence !== null) {
      if (opened?.startsWith(fence) && line.trim() === opened) fence = null;
    } else if (opened) {
      fence = opened;
    }
    if (fence === null && LIST.test(line)) list = true;
    blank = fence === null && line.trim() === '' && whole;
    if (!whole) return;
    start = newline + 1;
  }
}

function lastBoundary(text: string): number {
  let last = 0;
  for (const at of boundaries(text)) last = at;
  return last;
}

function cut(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const at of boundaries(text)) {
    parts.push(text.slice(from, at));
    from = at;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
