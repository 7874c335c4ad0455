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
  { rows, columns, page }: Reach,
): readonly [number, number] {
  const far = ctrlKey || metaKey;
  let [row, column] = from;
  switch (key) {
    case 'ArrowDown':
      row = far ? rows - 1 : row + 1;
      break;
    case 'ArrowUp':
      row = far ? 0 : row - 1;
      break;
    case 'ArrowRight':
      column = far ? columns - 1 : column + 1;
      break;
    case 'ArrowLeft':
      column = far ? 0 : column - 1;
      break;
    case 'PageDown':
      row += page;
      break;
    case 'PageUp':
      row -= page;
      break;
    case 'Home':
      column = 0;
      if (far) row = 0;
      break;
    case 'End':
      column = columns - 1;
      if (far) row = rows - 1;
      break;
    default:
      return from;
  }
  return [Math.max(0, Math.min(rows - 1, row)), Math.max(0, Math.min(columns - 1, column))];
}
