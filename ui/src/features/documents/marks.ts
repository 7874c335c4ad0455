import type { Placed } from './pages';

/** What is marked in a document. */
export interface Marks {
  words: readonly string[];
  /** Only in these blocks, the first and the last one; absent: everywhere. */
  within?: readonly [number, number] | undefined;
  /** The match that one is at. */
  here?: { block: number; nth: number } | undefined;
}

/** Whether something is marked in a block. */
export function isWithin({ within }: Marks, block: number): boolean {
  return within === undefined || (block >= within[0] && block <= within[1]);
}

/** Where words stand in a text, as UTF-16 ranges in their order. Capitals and kinds of blank make no difference. */
export function matchesIn(text: string, words: readonly string[]): [number, number][] {
  const folded = fold(text);
  const found: [number, number][] = [];
  for (const word of words) {
    const wanted = fold(word);
    if (wanted === '') continue;
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) found.push([at, at + wanted.length]);
  }
  found.sort(([a], [b]) => a - b);
  return found.filter(([start], index) => start >= (found[index - 1]?.[1] ?? 0));
}

/** As long as the text was, so that places in it are places in the text. */
function fold(text: string): string {
  const low = text.toLowerCase();
  return (low.length === text.length ? low : text).replace(/\s/g, ' ');
}

/** A part of a line of a page, in points. */
export interface MarkedBox {
  left: number;
  top: number;
  width: number;
  height: number;
  here: boolean;
}

/** Where words stand on a page. What a word is cut off by is a share of its length. */
export function marked(placed: readonly Placed[], marks: Marks): MarkedBox[] {
  const { words, here } = marks;
  if (words.length === 0) return [];
  const starts: number[] = [];
  let text = '';
  for (const word of placed) {
    starts.push(text.length);
    text += word.text + word.after;
  }
  const boxes: MarkedBox[] = [];
  const counted = new Map<number, number>();
  let first = 0;
  for (const [start, end] of matchesIn(text, words)) {
    while (first + 1 < placed.length && (starts[first + 1] ?? Infinity) <= start) first += 1;
    const block = placed[first]?.block ?? 0;
    if (!isWithin(marks, block)) continue;
    const nth = counted.get(block) ?? 0;
    counted.set(block, nth + 1);
    const isHere = here !== undefined && here.block === block && here.nth === nth;
    for (let index = first; (starts[index] ?? Infinity) < end; index += 1) {
      const word = placed[index];
      const at = starts[index] ?? 0;
      if (word !== undefined) boxes.push({ ...cut(word, (start - at) / word.text.length, (end - at) / word.text.length), here: isHere });
    }
  }
  return boxes;
}

function cut({ left, top, width, height, vertical }: Placed, from: number, to: number): Omit<MarkedBox, 'here'> {
  const start = Math.max(0, Math.min(1, from));
  const share = Math.max(0, Math.min(1, to)) - start;
  return vertical ? { left, top: top + height * start, width, height: height * share } : { left: left + width * start, top, width: width * share, height };
}
