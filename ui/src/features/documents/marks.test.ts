import { describe, expect, it } from 'vitest';

import { marked, matchesIn } from './marks';
import { placed } from './pages';

describe('matchesIn', () => {
  it('finds words whatever their capitals and blanks, each place once', () => {
    expect(matchesIn('The Roof of the\nroof', ['the roof', 'roof'])).toEqual([[0, 8], [12, 20]]);
    expect(matchesIn('二向色玻璃和玻璃', ['玻璃'])).toEqual([[3, 5], [6, 8]]);
    expect(matchesIn('anything', [''])).toEqual([]);
  });

  it('keeps the places where small letters are longer', () => {
    expect(matchesIn('İ roof', ['roof'])).toEqual([[2, 6]]);
  });
});

describe('marked', () => {
  const word = (text: string, left: number, top: number, block: number) => ({ text, block, area: { left, top, right: left + text.length * 5, bottom: top + 10 } });
  const page = placed([word('Glass', 0, 0, 1), word('roofs', 30, 0, 1), word('glass', 0, 12, 1), word('roof', 0, 40, 2)]);

  it('cuts words at what is marked, over lines too', () => {
    expect(marked(page, { words: ['roof'] })).toEqual([
      { left: 30, top: 0, width: 20, height: 10, here: false },
      { left: 0, top: 40, width: 20, height: 10, here: false },
    ]);
    expect(marked(page, { words: ['roofs glass'] }).map(({ top }) => top)).toEqual([0, 12]);
  });

  it('tells the match that one is at', () => {
    expect(marked(page, { words: ['glass'], here: { block: 1, nth: 1 } }).map(({ here }) => here)).toEqual([false, true]);
  });

  it('keeps to the blocks that are meant', () => {
    expect(marked(page, { words: ['roof'], within: [2, 2] }).map(({ top }) => top)).toEqual([40]);
  });
});
