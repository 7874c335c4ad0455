import { describe, expect, it } from 'vitest';
import type { DiffRow, Hunk } from '../../api/generated/commands';
import { gaps, nextUndecided, pieces, splitRows } from './rows';

function row(line: string): DiffRow {
  const sign = line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : 'same';
  return { sign, oldLine: null, newLine: null, text: line.slice(1), marks: [], ending: null };
}

describe('split view', () => {
  function check(lines: string[], expected: [string | null, string | null][]) {
    const pairs = splitRows(lines.map(row)).map(({ left, right }) => [left?.text ?? null, right?.text ?? null]);
    expect(pairs).toEqual(expected);
  }

  it('pairs removed with added lines and leaves gaps where one side is longer', () => {
    check(
      [' a', '-b', '+B', ' c'],
      [
        ['a', 'a'],
        ['b', 'B'],
        ['c', 'c'],
      ],
    );
    check(
      ['-b', '+B', '+C', ' c'],
      [
        ['b', 'B'],
        [null, 'C'],
        ['c', 'c'],
      ],
    );
    check(
      ['-b', '-c'],
      [
        ['b', null],
        ['c', null],
      ],
    );
    check(
      ['+b', '-c'],
      [
        [null, 'b'],
        ['c', null],
      ],
    );
    check([], []);
  });
});

it('cuts a line at its marks', () => {
  expect(
    pieces({
      text: '2 % on most',
      marks: [
        [0, 3],
        [7, 11],
      ],
    }),
  ).toEqual([
    { text: '2 %', marked: true },
    { text: ' on ', marked: false },
    { text: 'most', marked: true },
  ]);
  expect(pieces({ text: '', marks: [] })).toEqual([]);
});

function hunk(old: [number, number], fresh: [number, number], decision: Hunk['decision'] = 'undecided'): Hunk {
  return {
    index: 0,
    decision,
    old: { start: old[0], end: old[1] },
    new: { start: fresh[0], end: fresh[1] },
    headingPath: [],
    rows: [],
  };
}

it('counts unchanged lines around hunks', () => {
  const hunks = [hunk([41, 43], [41, 43]), hunk([62, 64], [62, 65])];
  expect(gaps({ hunks, oldLines: 70, newLines: 71 })).toEqual([40, 18, 6]);
  expect(gaps({ hunks: [hunk([1, 0], [1, 38])], oldLines: 0, newLines: 38 })).toEqual([0, 0]);
});

it('finds the next hunk without a decision', () => {
  const hunks = [hunk([1, 1], [1, 1]), hunk([5, 5], [5, 5], 'accepted'), hunk([9, 9], [9, 9])];
  expect(nextUndecided(hunks, 0)).toBe(2);
  expect(nextUndecided(hunks, 2)).toBe(0);
  expect(nextUndecided([hunk([1, 1], [1, 1], 'rejected')], 0)).toBeNull();
});
