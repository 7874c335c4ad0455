import { expect, it } from 'vitest';

import { parseAddress } from './router';

it.each([
  ['#/note/3/Projects/Brief.md', { kind: 'note', kbId: 3, path: 'Projects/Brief.md' }],
  ['#/note/3/Projects/Brief.md:41', { kind: 'note', kbId: 3, path: 'Projects/Brief.md', line: 41 }],
  ['#/note/1/%E4%BC%9A%E8%AE%AE%20%23.md', { kind: 'note', kbId: 1, path: '会议 #.md' }],
  ['#/review/9', { kind: 'review', changeSetId: 9 }],
  ['#/search', { kind: 'search' }],
  ['#/note/x/a.md', undefined],
  ['#/note/3', undefined],
  ['#/note/3/%E4%A', undefined],
  ['#token=abc', undefined],
  ['', undefined],
])('reads %s', (fragment, address) => {
  expect(parseAddress(fragment)).toEqual(address);
});
