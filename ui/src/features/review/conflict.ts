import type { ConflictView } from '../../api/generated/commands';

export type Side = 'base' | 'disk' | 'proposal';

export interface ConflictLine {
  number: number;
  text: string;
  /** Differs from what the assistant read. */
  changed: boolean;
}

/** Lines kept around what differs. */
const CONTEXT = 3;
/** Longest run of differing lines that is compared line by line. */
const COMPARED = 1500;

/** The three texts side by side, cut to the place where they differ. */
export function conflictLines(view: Pick<ConflictView, Side>): Record<Side, ConflictLine[] | null> {
  const split = (text: string | null) => (text === null ? null : text.split(/\r\n?|\n/));
  const base = split(view.base);
  const disk = split(view.disk);
  const proposal = split(view.proposal);
  const present = [base, disk, proposal].filter((lines) => lines !== null);
  const start = Math.max(0, commonStart(present) - CONTEXT);
  const end = Math.max(0, commonEnd(present, start + CONTEXT) - CONTEXT);
  const cut = (lines: string[] | null): ConflictLine[] | null => {
    if (!lines) return null;
    const shown = lines.slice(start, lines.length - end);
    const known = base ? kept(base.slice(start, base.length - end), shown) : new Set<number>();
    return shown.map((text, index) => ({
      number: start + index + 1,
      text,
      changed: lines !== base && !known.has(index),
    }));
  };
  return { base: cut(base), disk: cut(disk), proposal: cut(proposal) };
}

function commonStart(texts: string[][]): number {
  const shortest = Math.min(...texts.map(({ length }) => length));
  let at = 0;
  while (at < shortest && texts.every((lines) => lines[at] === texts[0]?.[at])) at++;
  return at;
}

function commonEnd(texts: string[][], start: number): number {
  const shortest = Math.min(...texts.map(({ length }) => length)) - start;
  let at = 0;
  while (at < shortest && texts.every((lines) => lines.at(-1 - at) === texts[0]?.at(-1 - at))) at++;
  return at;
}

/** Indexes of `shown` that are lines of `base`, by the longest common run of lines. */
function kept(base: string[], shown: string[]): Set<number> {
  if (base.length * shown.length > COMPARED * COMPARED) {
    const all = new Set(base);
    return new Set(shown.flatMap((line, index) => (all.has(line) ? [index] : [])));
  }
  const width = shown.length + 1;
  const best = new Uint32Array((base.length + 1) * width);
  const at = (row: number, column: number) => best[row * width + column] ?? 0;
  for (let row = base.length - 1; row >= 0; row--) {
    for (let column = shown.length - 1; column >= 0; column--) {
      best[row * width + column] =
        base[row] === shown[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found = new Set<number>();
  for (let row = 0, column = 0; row < base.length && column < shown.length;) {
    if (base[row] === shown[column]) {
      found.add(column);
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return found;
}
