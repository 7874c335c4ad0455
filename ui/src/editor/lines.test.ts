import { describe, expect, it } from 'vitest';
import { differences } from './lines';

function applied(before: string, after: string): string {
  let text = before;
  for (const { from, to, insert } of differences(before, after).reverse()) {
    text = text.slice(0, from) + insert + text.slice(to);
  }
  return text;
}

describe('differences', () => {
  it('are small and where the texts differ', () => {
    expect(differences('one\ntwo\nthree\nfour', 'one\n2\nthree\nfour\nfive')).toEqual([
      { from: 4, to: 7, insert: '2' },
      { from: 18, to: 18, insert: '\nfive' },
    ]);
    expect(differences('a\nb\nc\n', 'b\nc\nd\n')).toEqual([
      { from: 0, to: 2, insert: '' },
      { from: 6, to: 6, insert: 'd\n' },
    ]);
    expect(differences('same\n', 'same\n')).toEqual([]);
    expect(differences('', 'x')).toEqual([{ from: 0, to: 0, insert: 'x' }]);
  });

  it('turn any text into any other', () => {
    // A small generator with a fixed start, so that a failure can be seen again.
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const text = () => Array.from({ length: next(12) }, () => 'abc'[next(3)]).join('\n') + '\n'.repeat(next(2));
    for (let round = 0; round < 2000; round++) {
      const [before, after] = [text(), text()];
      expect(applied(before, after), JSON.stringify([before, after])).toBe(after);
    }
  });

  it('give up on details where everything differs', () => {
    const before = Array.from({ length: 3000 }, (_, line) => `a${line}`).join('\n');
    const after = Array.from({ length: 3000 }, (_, line) => `b${line}`).join('\n');
    expect(differences(before, after)).toHaveLength(1);
    expect(applied(before, after)).toBe(after);
  });
});
