import type { DiffRow, Hunk } from '../../api/generated/commands';
import { gaps, splitRows } from './rows';

export type DiffLook = 'split' | 'unified';

/** What a diff is made of, as far as showing it is concerned. */
export interface Lines {
  hunks: readonly Hunk[];
  oldLines: number;
  newLines: number;
}

/** Unchanged lines between two hunks, or before the first and after the last. */
export interface Gap {
  /** Counts from 0, from the top. */
  index: number;
  count: number;
  /** Numbers of its first line on both sides. */
  old: number;
  new: number;
}

/** One row of a diff on the screen. */
export type Item<Extra = never> =
  | { kind: 'fold'; key: string; gap: Gap }
  | { kind: 'head'; key: string; hunk: number }
  | { kind: 'line'; key: string; hunk: number; at: number; left: DiffRow | null; right: DiffRow | null }
  | { kind: 'same'; key: string; row: DiffRow }
  | { kind: 'extra'; key: string; hunk: number; extra: Extra };

export interface Extras<Extra> {
  /** Stands in the place of a hunk's changed lines, from the first to the last. */
  instead?: (hunk: number) => Extra | undefined;
  /** Stand below a line. */
  below?: (row: DiffRow, hunk: number) => readonly Extra[];
  /** Their keys, unique in the diff. */
  key: (extra: Extra) => string;
}

interface Showing<Extra> extends Partial<Extras<Extra>> {
  look: DiffLook;
  /** Whether only the head of a hunk is shown. */
  folded: (hunk: Hunk, index: number) => boolean;
  /** Lines of gaps that were unfolded, by the gap's index. */
  opened?: ReadonlyMap<number, readonly string[]>;
}

export function gapsOf(lines: Lines): Gap[] {
  const counts = gaps(lines);
  return counts.map((count, index) => {
    const before = lines.hunks[index - 1];
    const old = before === undefined ? 1 : Math.max(before.old.end, before.old.start - 1) + 1;
    const fresh = before === undefined ? 1 : Math.max(before.new.end, before.new.start - 1) + 1;
    return { index, count, old, new: fresh };
  });
}

/** All rows of a diff, top to bottom. */
export function flatten<Extra = never>(lines: Lines, showing: Showing<Extra>): Item<Extra>[] {
  const { look, folded, opened, instead, below, key } = showing;
  const items: Item<Extra>[] = [];
  const gap = (one: Gap | undefined) => {
    if (one === undefined || one.count === 0) return;
    const texts = opened?.get(one.index);
    if (texts === undefined) {
      items.push({ kind: 'fold', key: `fold-${one.index}`, gap: one });
      return;
    }
    for (const [at, text] of texts.entries()) {
      const row: DiffRow = { sign: 'same', oldLine: one.old + at, newLine: one.new + at, text, marks: [], ending: null };
      items.push({ kind: 'same', key: `same-${one.index}-${at}`, row });
    }
  };
  const between = gapsOf(lines);
  for (const [hunk, one] of lines.hunks.entries()) {
    gap(between[hunk]);
    items.push({ kind: 'head', key: `head-${hunk}`, hunk });
    if (folded(one, hunk)) continue;
    const rows = look === 'split' ? splitRows(one.rows) : one.rows.map((row) => ({ left: row, right: row }));
    const whole = instead?.(hunk);
    const changes = (row: { left: DiffRow | null }) => row.left?.sign !== 'same';
    const first = whole === undefined ? -1 : rows.findIndex(changes);
    const last = whole === undefined ? -1 : rows.findLastIndex(changes);
    for (const [at, { left, right }] of rows.entries()) {
      if (at === first && whole !== undefined && key !== undefined) {
        items.push({ kind: 'extra', key: key(whole), hunk, extra: whole });
      }
      if (at >= first && at <= last) continue;
      items.push({ kind: 'line', key: `line-${look}-${hunk}-${at}`, hunk, at, left, right });
      if (below === undefined || key === undefined) continue;
      const sides = left === right || right === null ? [left] : [left, right];
      for (const side of sides) {
        if (side === null) continue;
        for (const extra of below(side, hunk)) items.push({ kind: 'extra', key: key(extra), hunk, extra });
      }
    }
  }
  gap(between[lines.hunks.length]);
  return items;
}

const LINE = 22;
/** Widths of columns beside the text, in CSS pixels; the same as in DiffLine. */
export const COLUMNS = { number: 40, unifiedNumber: 36, sign: 16, end: 14 };

/** How high a row will probably be: Han characters are as wide as high, others about half of that. */
export function guessHeight(item: Item<unknown>, width: number, look: DiffLook, size = 13): number {
  if (item.kind === 'head') return 35;
  if (item.kind === 'fold') return 24;
  if (item.kind === 'extra') return 120;
  const text = look === 'split'
    ? width / 2 - COLUMNS.number - COLUMNS.sign - COLUMNS.end
    : width - 2 * COLUMNS.unifiedNumber - COLUMNS.sign - COLUMNS.end;
  const sides = item.kind === 'same' ? [item.row] : look === 'split' ? [item.left, item.right] : [item.left];
  let lines = 1;
  for (const side of sides) {
    if (side === null || side.text.length * size <= text) continue;
    lines = Math.max(lines, Math.ceil(widthOf(side.text, size) / Math.max(80, text)));
  }
  return lines * LINE;
}

function widthOf(text: string, size: number): number {
  let units = 0;
  for (let at = 0; at < text.length; at += 1) units += text.charCodeAt(at) >= 0x2e80 ? 1 : 0.52;
  return units * size;
}
