import { describe, expect, it } from 'vitest';

import { Rows, scrollTo } from './window';

describe('Rows', () => {
  it('keeps at most 80 of a hundred thousand rows in the document', () => {
    const rows = new Rows(100_000, 26);
    for (const scrollTop of [0, 1000, 1_300_000, 2_600_000]) {
      const { first, end } = rows.span(scrollTop, 900);
      expect(end - first).toBeLessThanOrEqual(80);
      expect(first * 26).toBeLessThanOrEqual(scrollTop);
      if (end < 100_000) expect(end * 26).toBeGreaterThanOrEqual(scrollTop + 900);
    }
    expect(rows.span(9_999_999, 900).end).toBe(100_000);
  });

  it('shows all of a short list, and nothing of an empty one', () => {
    expect(new Rows(5, 26).span(0, 900)).toEqual({ first: 0, end: 5 });
    expect(new Rows(0, 26).span(0, 900)).toEqual({ first: 0, end: 0 });
    expect(new Rows(0, 26).total).toBe(0);
  });

  it('lays gaps above rows', () => {
    const rows = new Rows(6, 20, (index) => (index % 3 === 0 ? 8 : 0));
    expect([0, 1, 2, 3, 4, 5].map((index) => rows.top(index))).toEqual([8, 28, 48, 76, 96, 116]);
    expect(rows.total).toBe(136);
    expect([0, 27, 28, 67, 68, 75, 135].map((at) => rows.at(at))).toEqual([0, 0, 1, 2, 3, 3, 5]);
  });
});

it('scrolls as little as needed', () => {
  expect(scrollTo(100, 20, 50, 200)).toBe(50);
  expect(scrollTo(40, 20, 50, 200)).toBe(40);
  expect(scrollTo(240, 20, 50, 200)).toBe(60);
});
