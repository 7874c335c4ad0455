import { describe, expect, it } from 'vitest';
import { columnName, hasMarker, pageOfFragment, pieces, tableOf } from './blocks';

const link = (start: number, end: number, target = 'https://a.example') => ({ start, end, target, fragment: null });

describe('pieces', () => {
  it('cuts a text at its links, in order', () => {
    const cut = pieces('see one and two.', [link(12, 15, 'two'), link(4, 7, 'one')]);
    expect(cut.map(({ text, link }) => [text, link?.target])).toEqual([['see ', undefined], ['one', 'one'], [' and ', undefined], ['two', 'two'], ['.', undefined]]);
  });

  it('loses no text to links that overlap or reach beyond it', () => {
    for (const links of [[link(0, 4), link(2, 6)], [link(3, 99)], [link(5, 5)], [link(20, 30)]]) {
      expect(pieces('abcdefgh', links).map(({ text }) => text).join('')).toBe('abcdefgh');
    }
  });
});

describe('tableOf', () => {
  it('makes rows of one width, and moves links into their cells', () => {
    const rows = tableOf('a\tb\tc\nd\tee', [link(8, 10)]);
    expect(rows.map((row) => row.map(({ text, span }) => [text, span]))).toEqual([[['a', 1], ['b', 1], ['c', 1]], [['d', 1], ['ee', 2]]]);
    expect(rows[1]?.[1]?.links).toEqual([link(0, 2)]);
  });
});

it('knows items that bring a sign or number of their own', () => {
  for (const text of ['• one', '1. one', '(a) one', '1.2 one', '一、甲', '- one', 'iv) one']) expect(hasMarker(text), text).toBe(true);
  for (const text of ['one', 'apple. pie', '2026 was', '一甲']) expect(hasMarker(text), text).toBe(false);
});

it('names columns as spreadsheets do', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});

it('finds the page a link leads to', () => {
  expect([pageOfFragment('page=12'), pageOfFragment('intro'), pageOfFragment(null)]).toEqual([12, undefined, undefined]);
});
