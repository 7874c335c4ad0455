import { describe, expect, it } from 'vitest';
import type { DiffRow, Hunk, Position, PositionEdit, Version } from '../../api/generated/commands';
import { inOrder } from './pairs.svelte';
import { listed, partEdit } from './versions';

const version = (id: number, createdAt: number, source: 'manual' | 'outside' = 'manual') => ({ id, createdAt, provenance: { source } }) as Version;
const now = new Date('2026-11-24T15:00:00').getTime();
const HOUR = 3_600_000;
const versions = [version(9, now - HOUR), version(8, now - 2 * HOUR, 'outside'), version(5, now - 26 * HOUR)];

it('lists versions under their days, each with the one that came after it', () => {
  const rows = listed(versions, undefined, now).map((row) => (row.kind === 'day' ? row.title : [row.version.id, row.newer]));
  expect(rows).toEqual(['today', [9, undefined], [8, 9], 'yesterday', [5, 8]]);
  const manual = listed(versions, 'manual', now).map((row) => (row.kind === 'day' ? row.title : [row.version.id, row.newer]));
  expect(manual).toEqual(['today', [9, undefined], 'yesterday', [5, 8]]);
});

it('compares the older with the newer', () => {
  expect(inOrder({ old: 9, new: 5 }, versions)).toEqual({ old: 5, new: 9 });
  expect(inOrder({ old: 5, new: 9 }, versions)).toEqual({ old: 5, new: 9 });
  expect(inOrder({ old: 9, new: undefined }, versions)).toEqual({ old: 9, new: undefined });
});

/** A hunk that makes `after` of `before`: all lines between the common ends. */
function hunkOf(before: string, after: string): Hunk {
  const old = before.replace(/\n$/, '').split('\n').filter((_, __, all) => all.join('') !== '');
  const fresh = after.replace(/\n$/, '').split('\n').filter((_, __, all) => all.join('') !== '');
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const row = (sign: DiffRow['sign'], oldLine: number | null, newLine: number | null, text: string): DiffRow => ({ sign, oldLine, newLine, text, marks: [], ending: null });
  const rows = [
    ...old.slice(0, head).map((text, at) => row('same', at + 1, at + 1, text)),
    ...old.slice(head, old.length - tail).map((text, at) => row('removed', head + at + 1, null, text)),
    ...fresh.slice(head, fresh.length - tail).map((text, at) => row('added', null, head + at + 1, text)),
    ...old.slice(old.length - tail).map((text, at) => row('same', old.length - tail + at + 1, fresh.length - tail + at + 1, text)),
  ];
  return { rows } as Hunk;
}

function applied(text: string, { from, to, insert }: PositionEdit): string {
  const lines = text.split('\n');
  const offset = ({ line, column }: Position) => lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column;
  return text.slice(0, offset(from)) + insert + text.slice(offset(to));
}

describe('bringing a part back', () => {
  it.each([
    ['changed in the middle', 'a\nb\nc\n', 'a\nB\nB2\nc\n'],
    ['added', 'a\nc\n', 'a\nb\nc\n'],
    ['removed', 'a\nb\nc\n', 'a\nc\n'],
    ['removed at the top', 'a\nb\n', 'b\n'],
    ['removed at the end', 'a\nb\n', 'a\n'],
    ['changed at the end', 'a\nb\n', 'a\nB\n'],
    ['changed at an end without a break', 'a\nb', 'a\nB'],
    ['removed at an end without a break', 'a\nb', 'a'],
  ])('%s', (_, before, after) => {
    expect(applied(after, partEdit(hunkOf(before, after), after))).toBe(before);
  });
});
