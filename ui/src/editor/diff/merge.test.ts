import { describe, expect, it } from 'vitest';
import type { ConflictView, LineRange, MergeChoice, MergeKind, MergeRegion } from '../../api/generated/commands';
import { around, byHand, clean, meeting, result, Texts } from './merge';

const range = (start: number, end: number): LineRange => ({ start, end });
const region = (kind: MergeKind, base: LineRange, disk: LineRange, proposal: LineRange): MergeRegion => ({ kind, base, disk, proposal });

const view: ConflictView = {
  base: 'one\ntwo\nReply due: end of November\nfour\nfive\n',
  disk: 'one\r\nTWO\r\nReply due: Friday\r\nfour\r\nfive\r\n',
  diskHash: null,
  proposal: 'one\ntwo\nReply due: 30 November\nand more\nfour\nFIVE\n',
  regions: [
    region('same', range(1, 1), range(1, 1), range(1, 1)),
    region('disk', range(2, 2), range(2, 2), range(2, 2)),
    region('meets', range(3, 3), range(3, 3), range(3, 4)),
    region('same', range(4, 4), range(4, 4), range(5, 5)),
    region('proposal', range(5, 5), range(5, 5), range(6, 6)),
  ],
};
const texts = new Texts(view);
const merged = (choice?: MergeChoice) =>
  result(texts, view.regions, new Map(choice === undefined ? [] : [[2, choice]])).map(({ text, kind }) => (kind === 'open' ? '?' : text));

describe('the result', () => {
  it('holds what merges by itself, and leaves open what meets', () => {
    expect(merged()).toEqual(['one', 'TWO', '?', 'four', 'FIVE']);
    expect([meeting(view.regions), clean(view.regions)]).toEqual([[2], [1, 4]]);
  });

  it('takes each choice', () => {
    expect(merged({ take: 'disk' })).toEqual(['one', 'TWO', 'Reply due: Friday', 'four', 'FIVE']);
    expect(merged({ take: 'proposal' })).toEqual(['one', 'TWO', 'Reply due: 30 November', 'and more', 'four', 'FIVE']);
    expect(merged({ take: 'both' })).toEqual(['one', 'TWO', 'Reply due: Friday', 'Reply due: 30 November', 'and more', 'four', 'FIVE']);
    expect(merged(byHand('Reply due: soon'))).toEqual(['one', 'TWO', 'Reply due: soon', 'four', 'FIVE']);
  });

  it('numbers the lines of the merged text', () => {
    const numbers = result(texts, view.regions, new Map([[2, byHand('a\nb\nc')]])).map((line) => ('number' in line ? line.number : 0));
    expect(numbers).toEqual([1, 2, 0, 6, 7]);
  });
});

it('writes lines by hand so that each ends', () => {
  expect(byHand('a\nb')).toEqual({ take: 'text', text: 'a\nb\n' });
  expect(byHand('')).toEqual({ take: 'text', text: '' });
});

describe('a place side by side', () => {
  const meets = view.regions[2] as MergeRegion;

  it('marks the lines and words that are new', () => {
    const { lines } = around(texts, meets, 'disk');
    expect(lines.map(({ text }) => text)).toEqual(['one', 'TWO', 'Reply due: Friday', 'four', 'five']);
    expect(lines.filter(({ changed }) => changed)).toEqual([{ number: 3, text: 'Reply due: Friday', changed: true, marks: [[11, 17]] }]);
    expect(around(texts, meets, 'base').lines.some(({ changed }) => changed)).toBe(false);
    expect(around(texts, meets, 'proposal').lines.filter(({ changed }) => changed).map(({ number }) => number)).toEqual([3, 4]);
  });

  it('shows a long side in part', () => {
    const long = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const whole = new Texts({ base: '', disk: long, diskHash: null, proposal: '', regions: [] });
    const { lines, more } = around(whole, region('meets', range(1, 0), range(1, 500), range(1, 0)), 'disk');
    expect([lines.length, more]).toEqual([200, 300]);
  });
});
