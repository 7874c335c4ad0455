import { expect, it } from 'vitest';
import type { DiffRow, Hunk } from '../../api/generated/commands';
import { flatten, gapsOf, guessHeight, type Item } from './items';

function hunk(index: number, start: number, rows: DiffRow['sign'][]): Hunk {
  let old = start;
  let fresh = start;
  return {
    index,
    decision: 'undecided',
    old: { start, end: start + rows.filter((sign) => sign !== 'added').length - 1 },
    new: { start, end: start + rows.filter((sign) => sign !== 'removed').length - 1 },
    headingPath: [],
    rows: rows.map((sign) => ({
      sign,
      oldLine: sign === 'added' ? null : old++,
      newLine: sign === 'removed' ? null : fresh++,
      text: sign,
      marks: [],
      ending: null,
    })),
  };
}

const lines = { hunks: [hunk(0, 3, ['same', 'removed', 'added']), hunk(1, 9, ['removed', 'removed', 'added'])], oldLines: 12, newLines: 11 };
const kinds = (items: readonly Item<string>[]) => items.map(({ kind }) => kind);
const open = { folded: () => false };

it('lists folds, heads and lines from top to bottom', () => {
  const unified = flatten(lines, { look: 'unified', ...open });
  expect(kinds(unified)).toEqual(['fold', 'head', 'line', 'line', 'line', 'fold', 'head', 'line', 'line', 'line', 'fold']);
  expect(new Set(unified.map(({ key }) => key)).size).toBe(unified.length);
  const split = flatten(lines, { look: 'split', ...open });
  expect(kinds(split)).toEqual(['fold', 'head', 'line', 'line', 'fold', 'head', 'line', 'line', 'fold']);
});

it('shows only the head of a folded hunk, and unfolded lines with both numbers', () => {
  const items = flatten(lines, {
    look: 'unified',
    folded: (_, index) => index === 0,
    opened: new Map([[1, ['a', 'b', 'c', 'd']]]),
  });
  expect(kinds(items)).toEqual(['fold', 'head', 'same', 'same', 'same', 'same', 'head', 'line', 'line', 'line', 'fold']);
  const first = items[2];
  expect(first?.kind === 'same' ? [first.row.oldLine, first.row.newLine, first.row.text] : []).toEqual([5, 5, 'a']);
});

it('says where each gap lies on both sides', () => {
  expect(gapsOf(lines)).toEqual([
    { index: 0, count: 2, old: 1, new: 1 },
    { index: 1, count: 4, old: 5, new: 5 },
    { index: 2, count: 2, old: 11, new: 10 },
  ]);
});

it('puts what belongs to a line below it, on either side and once', () => {
  for (const look of ['split', 'unified'] as const) {
    const items = flatten<string>(lines, {
      look,
      ...open,
      below: (row) => (row.newLine === 4 ? ['new 4'] : row.oldLine === 3 ? ['old 3'] : []),
      key: (extra) => extra,
    });
    expect(items.flatMap((item) => (item.kind === 'extra' ? [item.extra] : []))).toEqual(['old 3', 'new 4']);
  }
});

it('puts an editor in the place of what changes, between the lines around it', () => {
  for (const look of ['split', 'unified'] as const) {
    const items = flatten<string>(lines, { look, ...open, instead: () => 'edit', key: (extra) => extra });
    expect(kinds(items)).toEqual(['fold', 'head', 'line', 'extra', 'fold', 'head', 'extra', 'fold']);
  }
});

it('guesses more lines for text that wraps', () => {
  const line = (text: string): Item => ({ kind: 'same', key: 'k', row: { sign: 'same', oldLine: 1, newLine: 1, text, marks: [], ending: null } });
  expect(guessHeight(line('short'), 800, 'unified')).toBe(22);
  expect(guessHeight(line('字'.repeat(100)), 800, 'unified')).toBe(44);
  expect(guessHeight(line('x'.repeat(90)), 800, 'split')).toBe(44);
});
