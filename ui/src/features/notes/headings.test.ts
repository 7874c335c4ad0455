import { expect, it } from 'vitest';
import { headings } from './headings';

it('lists headings and nothing that only looks like one', () => {
  const text = '---\n# not this\n---\n# One\n\n```\n# nor this\n```\n\n## **Two** and [[A|b]] ##\n#tag\n### 光环境\n';
  expect(headings(text)).toEqual([
    { level: 1, text: 'One', line: 4 },
    { level: 2, text: 'Two and b', line: 10 },
    { level: 3, text: '光环境', line: 12 },
  ]);
});
