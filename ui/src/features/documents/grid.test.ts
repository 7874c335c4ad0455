import { describe, expect, it } from 'vitest';
import { columnOf, columnsIn, edgesOf, isFigure, moved, sampleOf, widthsOf } from './grid';

it('finds the columns that are seen', () => {
  const edges = edgesOf([100, 50, 200, 100]);
  expect([...edges]).toEqual([0, 100, 150, 350, 450]);
  expect(columnsIn(edges, 0, 100)).toEqual([0, 1]);
  expect(columnsIn(edges, 99, 151)).toEqual([0, 3]);
  expect(columnsIn(edges, 100, 160)).toEqual([1, 3]);
  expect(columnsIn(edges, 400, 2000)).toEqual([3, 4]);
  expect(columnsIn(edgesOf([]), 0, 100)).toEqual([0, 0]);
});

it('gives columns the room of what stands in them, within bounds', () => {
  const [short, long, han, empty] = widthsOf([['a', 'x'.repeat(500), '二向色玻璃和遮阳百叶']], 4);
  expect(short).toBe(empty);
  expect(long).toBe(320);
  expect(han).toBeGreaterThan(short ?? 0);
  expect(widthsOf([['a', 'b', 'c']], 2)).toHaveLength(2);
});

it('takes numbers for figures, not what only begins with one', () => {
  for (const cell of ['12', '-3.5', '1 860 000', '¥1,200.50', '4%', '(12)']) expect(isFigure(cell), cell).toBe(true);
  for (const cell of ['', 'a', '12a', '2026-11-30', 'v2']) expect(isFigure(cell), cell).toBe(false);
});

describe('moved', () => {
  const reach = { rows: 100, columns: 5, page: 20 };
  const press = (key: string, ctrlKey = false) => moved([50, 2], { key, ctrlKey, metaKey: false }, reach);

  it('goes from cell to cell, and never outside', () => {
    expect(press('ArrowDown')).toEqual([51, 2]);
    expect(press('ArrowLeft')).toEqual([50, 1]);
    expect(press('PageUp')).toEqual([30, 2]);
    expect(press('End')).toEqual([50, 4]);
    expect(press('Home', true)).toEqual([0, 0]);
    expect(press('End', true)).toEqual([99, 4]);
    expect(press('ArrowDown', true)).toEqual([99, 2]);
    expect(moved([0, 0], { key: 'PageUp', ctrlKey: false, metaKey: false }, reach)).toEqual([0, 0]);
  });

  it('leaves other keys alone', () => {
    const from = [1, 1] as const;
    expect(moved(from, { key: 'a', ctrlKey: false, metaKey: false }, reach)).toBe(from);
  });
});

describe('columnOf', () => {
  it('tells the cell of a match of a row', () => {
    const row = ['roof and roof', 'wall', 'Roof'];
    expect([0, 1, 2, 3].map((nth) => columnOf(row, ['roof'], nth))).toEqual([0, 0, 2, undefined]);
  });
});

describe('sampleOf', () => {
  it('begins at the first rows and ends at the last', () => {
    expect(sampleOf(120, 200)).toEqual([0]);
    expect(sampleOf(450, 200)).toEqual([0, 200, 400]);
    expect(sampleOf(100_000, 200)).toEqual([0, 25_000, 50_000, 74_800, 99_800]);
  });
});
