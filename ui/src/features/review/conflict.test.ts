import { expect, it } from 'vitest';
import { conflictLines } from './conflict';

const lines = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);

it('cuts three texts to where they differ and marks what is new', () => {
  const base = [...lines(10), 'Reply due: end of November', ...lines(10, 20)];
  const disk = base.with(10, 'Reply due: Friday');
  const proposal = base.with(10, 'Reply due: 30 November').toSpliced(11, 0, 'One more');
  const cut = conflictLines({ base: base.join('\n'), disk: disk.join('\r\n'), proposal: proposal.join('\n') });
  expect(cut.base?.map(({ text }) => text)).toEqual([
    'line 8',
    'line 9',
    'line 10',
    'Reply due: end of November',
    'line 20',
    'line 21',
    'line 22',
  ]);
  expect(cut.disk?.filter(({ changed }) => changed)).toEqual([
    { number: 11, text: 'Reply due: Friday', changed: true },
  ]);
  expect(cut.proposal?.filter(({ changed }) => changed).map(({ text }) => text)).toEqual([
    'Reply due: 30 November',
    'One more',
  ]);
});

it('says when a side is not there', () => {
  const cut = conflictLines({ base: null, disk: 'a', proposal: 'a\nb' });
  expect(cut.base).toBeNull();
  expect(cut.proposal?.length).toBe(2);
});
