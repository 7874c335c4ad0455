import { describe, expect, it } from 'vitest';
import { titleOf } from './title';

describe('titleOf', () => {
  it('takes the title that somebody gave', () => {
    expect(titleOf('Daylight in reading rooms', 'a/b.pptx')).toBe('Daylight in reading rooms');
    expect(titleOf('Slide rules', 'b.pptx')).toBe('Slide rules');
  });

  it('takes the name of the file where a program gave it one, or nobody', () => {
    for (const title of [undefined, ' ', 'Slide 1', 'PowerPoint Presentation', 'Microsoft Word - draft.doc', '演示文稿1', 'Untitled']) {
      expect(titleOf(title, 'a/b.pptx'), title).toBe('b.pptx');
    }
  });
});
