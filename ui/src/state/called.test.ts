import { describe, expect, it } from 'vitest';
import { calledOf, titleWithin } from './called';

const at = (path: string) => ({ kbId: 1, path });

describe('calledOf', () => {
  it('names a document by its file, whatever stands in it', () => {
    for (const title of [undefined, 'Microsoft Word - draft3.doc', 'Daylight in reading rooms']) {
      expect(calledOf(at('a/Cost plan v3.pdf'), title)).toBe('Cost plan v3.pdf');
    }
  });

  it('names a note by its title, else by its file', () => {
    expect(calledOf(at('a/brief.md'), 'The brief')).toBe('The brief');
    expect(calledOf(at('a/brief.md'))).toBe('brief');
    expect(calledOf(at('a/.md'))).toBe('.md');
  });
});

describe('titleWithin', () => {
  it('is the title that somebody gave', () => {
    expect(titleWithin(at('b.pptx'), 'Daylight in reading rooms')).toBe('Daylight in reading rooms');
    expect(titleWithin(at('b.pptx'), 'Slide rules')).toBe('Slide rules');
  });

  it('is nothing where a program gave it, nobody did, or it says no more than the file', () => {
    for (const title of [undefined, ' ', 'Slide 1', 'PowerPoint Presentation', 'Microsoft Word - draft.doc', '演示文稿1', 'Untitled', 'b', 'b.pptx']) {
      expect(titleWithin(at('a/b.pptx'), title), title).toBeUndefined();
    }
    expect(titleWithin(at('brief.md'), 'The brief')).toBeUndefined();
  });
});
