import { expect, it } from 'vitest';
import type { Comment, DiffRow, Hunk, Operation } from '../../api/generated/commands';
import { apart, firstProposed, lastChange, lineOf, proposedText, standsAt } from './comments';

const row = (sign: DiffRow['sign'], oldLine: number | null, newLine: number | null, text = ''): DiffRow => ({ sign, oldLine, newLine, text, marks: [], ending: null });
const rows = [row('same', 4, 4, 'head'), row('removed', 5, null, 'old'), row('added', null, 5, 'new'), row('added', null, 6, 'more'), row('same', 6, 7, 'tail')];
const hunk = { rows } as Hunk;

it('keeps a comment at what is proposed, else at what goes', () => {
  expect(rows.map(lineOf)).toEqual([
    { side: 'new', line: 4 },
    { side: 'old', line: 5 },
    { side: 'new', line: 5 },
    { side: 'new', line: 6 },
    { side: 'new', line: 7 },
  ]);
  for (const one of rows) expect(rows.filter((other) => standsAt(lineOf(one), other))).toEqual([one]);
});

it('is about the last change unless another line was pointed at', () => {
  expect(lastChange(hunk)).toBe(3);
  expect(lastChange({ rows: rows.slice(0, 2) } as Hunk)).toBe(1);
});

it('sets apart what stands at no line that is shown', () => {
  const comment = (id: number, line: Comment['line']) => ({ id, line }) as Comment;
  const comments = [comment(1, { side: 'new', line: 6 }), comment(2, { side: 'new', line: 60 }), comment(3, { side: 'operation' })];
  expect(apart({ comments } as Operation, [hunk]).map(({ id }) => id)).toEqual([2, 3]);
});

it('hands over the new lines of a hunk, without those around them', () => {
  expect(proposedText(hunk)).toBe('new\nmore');
  expect(firstProposed({ ...hunk, new: { start: 4, end: 7 } })).toBe(5);
  const apart = [...rows.slice(0, 3), row('same', 6, 6, 'between'), row('added', null, 7, 'last'), row('same', 7, 8, 'tail')];
  expect(proposedText({ rows: apart } as Hunk)).toBe('new\nbetween\nlast');
});
