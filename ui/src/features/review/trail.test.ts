import { expect, it } from 'vitest';
import { Trail } from './trail';

it('leads back over what was decided, until one goes elsewhere', () => {
  const trail = new Trail();
  trail.leave({ operation: 1, hunk: 2 });
  trail.leave({ operation: 1, hunk: 0 });
  expect(trail.back()).toEqual({ operation: 1, hunk: 0 });
  expect(trail.back()).toEqual({ operation: 1, hunk: 2 });
  expect(trail.back()).toBeUndefined();
  trail.leave({ operation: 2, hunk: 1 });
  trail.clear();
  expect(trail.back()).toBeUndefined();
});
