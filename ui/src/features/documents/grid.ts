import { matchesIn } from './marks';

/** Where columns lie: their left edges, and the right edge of the last. In CSS pixels. */
export function edgesOf(widths: readonly number[]): Float64Array {
  const edges = new Float64Array(widths.length + 1);
  for (const [index, width] of widths.entries()) edges[index + 1] = (edges[index] ?? 0) + width;
  return edges;
}

/** Columns that are seen between two edges, as first and end. */
export function columnsIn(edges: Float64Array, left: number, right: number): [number, number] {
  const count = edges.length - 1;
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle + 1] ?? 0) > left) high = middle;
    else low = middle + 1;
  }
  let end = low;
  while (end < count && (edges[end] ?? 0) < right) end += 1;
  return [low, end];
}

const NARROWEST = 56;
const WIDEST = 320;

/** Widths that suit what stands in some rows; Han characters take the room of two others. */
export function widthsOf(rows: readonly (readonly string[])[], columns: number): number[] {
  const widths = new Array<number>(columns).fill(NARROWEST);
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (index >= columns || (widths[index] ?? 0) >= WIDEST) continue;
      let signs = 0;
      for (const sign of cell.slice(0, 60)) signs += /[\u2E80-\uFFEF]/u.test(sign) ? 1.9 : 1;
      widths[index] = Math.max(widths[index] ?? 0, Math.min(WIDEST, Math.round(signs * 7.1 + 20)));
    }
  }
  return widths;
}

/** Where to look for how wide columns are: at the beginning, at the end and between, as first rows from 0. */
export function sampleOf(total: number, together: number): number[] {
  const runs = Math.ceil(total / together);
  const parts = Math.min(runs, 5);
  const starts = Array.from({ length: parts }, (_, part) => (parts === 1 ? 0 : Math.round((part * (runs - 1)) / (parts - 1)) * together));
  return [...new Set(starts)];
}

/** The column of the nth match in a row, from 0. */
export function columnOf(row: readonly string[], words: readonly string[], nth: number): number | undefined {
  let before = 0;
  for (const [column, value] of row.entries()) {
    before += matchesIn(value, words).length;
    if (before > nth) return column;
  }
  return undefined;
}

/** Figures stand at the right, as in a ledger. */
export function isFigure(cell: string): boolean {
  return /^[\s(+\-−$€£¥]*\d[\d\s.,'’]*[%)]?$/.test(cell);
}

export interface Reach {
  rows: number;
  columns: number;
  /** Rows that are seen at once. */
  page: number;
}

/** The cell that a key leads to from another, both from 0; the same object where it leads nowhere. */
export function moved(
  from: readonly [number, number],
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  reach: Reach,
): readonly [number, number] {
  const step = stepOf(key, ctrlKey || metaKey, reach);
  if (step === undefined) return from;
  const within = (at: number, count: number) => Math.max(0, Math.min(count - 1, at));
  return [within(from[0] + step[0], reach.rows), within(from[1] + step[1], reach.columns)];
}

/** How many rows and columns a key goes on; `far` is to the edge. */
function stepOf(key: string, far: boolean, { rows, columns, page }: Reach): [number, number] | undefined {
  switch (key) {
    case 'ArrowDown':
      return [far ? rows : 1, 0];
    case 'ArrowUp':
      return [far ? -rows : -1, 0];
    case 'ArrowRight':
      return [0, far ? columns : 1];
    case 'ArrowLeft':
      return [0, far ? -columns : -1];
    case 'PageDown':
      return [page, 0];
    case 'PageUp':
      return [-page, 0];
    case 'Home':
      return [far ? -rows : 0, -columns];
    case 'End':
      return [far ? rows : 0, columns];
    default:
      return undefined;
  }
}
