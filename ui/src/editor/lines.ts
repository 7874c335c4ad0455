/** A part of one text that another has otherwise, in characters. */
export interface Difference {
  from: number;
  to: number;
  insert: string;
}

/** Texts that differ in more lines than this are taken for different from the first to the last of them. */
const MOST_EDITS = 1000;

/** What turns `before` into `after`: line by line, and within the changed lines only what differs. */
export function differences(before: string, after: string): Difference[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;

  const found: Difference[] = [];
  const at = lengthOf(a, 0, start);
  let offset = at;
  let lineA = start;
  let lineB = start;
  for (const [nextA, nextB] of [...kept(a, b, start, end), [a.length - end, b.length - end] as const]) {
    const removed = a.slice(lineA, nextA).join('');
    const difference = trimmed(offset, removed, b.slice(lineB, nextB).join(''));
    if (difference) found.push(difference);
    offset += removed.length + (a[nextA]?.length ?? 0);
    lineA = nextA + 1;
    lineB = nextB + 1;
  }
  return found;
}

/** Every line with its end, so that they join to the text. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function lengthOf(lines: string[], from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at++) length += lines[at]?.length ?? 0;
  return length;
}

/** Without what both have at their beginning and their end. */
function trimmed(offset: number, removed: string, insert: string): Difference | null {
  const shorter = Math.min(removed.length, insert.length);
  let start = 0;
  while (start < shorter && removed[start] === insert[start]) start++;
  let end = 0;
  while (end < shorter - start && removed.at(-1 - end) === insert.at(-1 - end)) end++;
  if (removed.length === start + end && insert.length === start + end) return null;
  return { from: offset + start, to: offset + removed.length - end, insert: insert.slice(start, insert.length - end) };
}

/**
 * Pairs of lines that stay, between the first and the last that differ: the shortest way from one text to the other,
 * found by the greedy search of Myers. `reach[diagonal]` is how far in `a` a way with so many edits comes.
 */
function kept(a: string[], b: string[], start: number, end: number): [number, number][] {
  const n = a.length - start - end;
  const m = b.length - start - end;
  const most = Math.min(n + m, MOST_EDITS);
  const rounds: Int32Array[] = [];
  let reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(reach);
    reach = reach.slice();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = step(reach, middle, diagonal, edits);
      while (x < n && x - diagonal < m && a[start + x] === b[start + x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= n && x - diagonal >= m) return wayBack(rounds, middle, n, m, start);
    }
  }
  return [];
}

function step(reach: Int32Array, middle: number, diagonal: number, edits: number): number {
  const below = reach[middle + diagonal + 1] ?? 0;
  const left = reach[middle + diagonal - 1] ?? 0;
  return diagonal === -edits || (diagonal !== edits && left < below) ? below : left + 1;
}

function wayBack(rounds: Int32Array[], middle: number, n: number, m: number, start: number): [number, number][] {
  const pairs: [number, number][] = [];
  let x = n;
  let y = m;
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const reach = rounds[edits] ?? new Int32Array();
    const diagonal = x - y;
    const begun = edits === 0 ? 0 : step(reach, middle, diagonal, edits);
    while (x > begun) {
      x--;
      y--;
      pairs.push([start + x, start + y]);
    }
    if (edits === 0) break;
    const below = reach[middle + diagonal + 1] ?? 0;
    const left = reach[middle + diagonal - 1] ?? 0;
    const down = diagonal === -edits || (diagonal !== edits && left < below);
    if (down) y--;
    else x--;
  }
  return pairs.reverse();
}
