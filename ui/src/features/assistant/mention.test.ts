import { expect, it } from 'vitest';
import { mentionAt } from './mention';
import { marked } from './sources';

it('knows when a file is being named', () => {
  const at = (text: string) => mentionAt(text, text.length);
  expect(at('see @Bri')).toEqual({ from: 4, text: 'Bri' });
  expect(at('请看@设计')).toEqual({ from: 2, text: '设计' });
  expect(at('@')).toEqual({ from: 0, text: '' });
  expect(at('@Daylight stu')).toEqual({ from: 0, text: 'Daylight stu' });
  expect(at('mail a@b.org')).toBeNull();
  expect(at('@Brief, and then')).toBeNull();
  expect(at('@Brief\nnext')).toBeNull();
});

it('cuts a snippet at its marks, whatever overlaps', () => {
  expect(
    marked({
      snippet: 'abcdef',
      marks: [
        [1, 3],
        [2, 4],
      ],
    }),
  ).toEqual([
    { text: 'a', marked: false },
    { text: 'bc', marked: true },
    { text: 'd', marked: true },
    { text: 'ef', marked: false },
  ]);
});
