import { expect, it } from 'vitest';
import type { Line } from './results';
import { hitFrom } from './open';

const lines = ['file', 'passage', 'passage', 'file', 'file', 'passage'].map((kind) => ({ kind })) as unknown as Line[];

it('goes from hit to hit, past the heads of files and round the ends', () => {
  expect(hitFrom(lines, 1, 1)).toBe(2);
  expect(hitFrom(lines, 2, 1)).toBe(5);
  expect(hitFrom(lines, 5, 1)).toBe(1);
  expect(hitFrom(lines, 1, -1)).toBe(5);
});

it('takes the first passage of a file as seen that its head opened', () => {
  expect(hitFrom(lines, 0, 1)).toBe(2);
  // A file without a passage is where it is.
  expect(hitFrom(lines, 3, 1)).toBe(5);
  expect(hitFrom([], -1, 1)).toBeUndefined();
});
