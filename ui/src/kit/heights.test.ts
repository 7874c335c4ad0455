import { expect, it } from 'vitest';

import { Heights } from './heights';

it('finds rows by their distance and corrects what was guessed', () => {
  const plain = Array.from({ length: 1000 }, (_, index) => 10 + (index % 7));
  const heights = new Heights(Float64Array.from(plain));
  const check = () => {
    let top = 0;
    for (const [index, height] of plain.entries()) {
      expect(heights.top(index)).toBe(top);
      expect(heights.at(top)).toBe(index);
      expect(heights.at(top + height - 0.5)).toBe(index);
      top += height;
    }
    expect(heights.total).toBe(top);
  };
  check();
  for (const index of [0, 1, 511, 512, 998, 999]) {
    plain[index] = 80 + index;
    expect(heights.set(index, 80 + index)).toBe(80 + index - (10 + (index % 7)));
  }
  check();
  expect(heights.set(5, plain[5] ?? 0)).toBe(0);
});

it('stays within its ends', () => {
  const none = new Heights(new Float64Array());
  expect([none.total, none.at(50), none.set(0, 4)]).toEqual([0, 0, 0]);
  const one = new Heights(Float64Array.from([20]));
  expect([one.at(-5), one.at(500), one.top(9)]).toEqual([0, 0, 20]);
});
