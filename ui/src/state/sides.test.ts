import { expect, it } from 'vitest';

import { provideFocus, takeFocus } from './sides';

it('lets a side take the focus while it is there', () => {
  const taken: string[] = [];
  expect(takeFocus('assistant')).toBe(false);
  const first = provideFocus('assistant', () => taken.push('first') > 0);
  expect(takeFocus('outline')).toBe(false);
  expect(takeFocus('assistant')).toBe(true);
  // A side that is shown anew registers before the one before it has gone.
  const second = provideFocus('assistant', () => taken.push('second') > 0);
  first();
  expect(takeFocus('assistant')).toBe(true);
  second();
  expect(takeFocus('assistant')).toBe(false);
  expect(taken).toEqual(['first', 'second']);
});
