import { describe, expect, it } from 'vitest';

import { match } from '../../state/match';
import { commandChoices, fileChoice, offered, readQuery } from './choices';

describe('match', () => {
  const marked = (text: string, wanted: string) => match(text, wanted)?.marks.map(([start, end]) => text.slice(start, end));

  it('finds whole pieces, initials and letters in order', () => {
    expect(marked('New note', 'note')).toEqual(['note']);
    expect(marked('New note', 'nn')).toEqual(['N', 'n']);
    expect(marked('Show or hide the left pane', 'shl')).toBeDefined();
    expect(marked('新建笔记', '笔记')).toEqual(['笔记']);
    expect(match('New note', 'xyz')).toBeUndefined();
    expect(match('New note', 'eton')).toBeUndefined();
  });

  it('ranks the start of a word above its middle', () => {
    expect(match('Note history', 'note')?.score ?? 0).toBeGreaterThan(match('Keynotes', 'note')?.score ?? 0);
  });
});

describe('choices', () => {
  it('reads the sign in front', () => {
    expect(readQuery('> theme ')).toEqual({ commandsOnly: true, text: 'theme' });
    expect(readQuery(' brief')).toEqual({ commandsOnly: false, text: 'brief' });
  });

  it('keeps the marks that fall into the name', () => {
    const hit = {
      fileId: 1,
      place: { kbId: 1, path: 'Daily/Daylight.md' },
      kbName: 'Studio',
      title: 'Daylight',
      kind: 'markdown' as const,
      marks: [[0, 3], [6, 9], [14, 17]] as [number, number][],
    };
    expect(fileChoice(hit, true)).toMatchObject({ name: 'Daylight', marks: [[0, 3]], folder: 'Studio / Daily', folderMarks: [[9, 12]] });
    expect(fileChoice(hit, false)).toMatchObject({ folder: 'Daily', folderMarks: [[0, 3]] });
  });

  it('shows what matched in the folders above', () => {
    const hit = {
      fileId: 1,
      place: { kbId: 1, path: 'Projects/Library/Brief.md' },
      kbName: '笔记',
      title: 'Brief',
      kind: 'markdown' as const,
      marks: [[9, 12], [14, 15]] as [number, number][],
    };
    const choice = fileChoice(hit, true);
    if (choice.kind !== 'file') throw new Error('a file is a file');
    expect(choice.folderMarks.map(([start, end]) => choice.folder.slice(start, end))).toEqual(['Lib', 'r']);
  });

  it('offers what was open before what changed, and never the note in front', () => {
    const hit = (path: string) => ({ place: { kbId: 1, path }, kbName: 'Studio', kind: 'markdown' as const, marks: [] });
    const many = Array.from({ length: 20 }, (_, n) => hit(`changed ${n}.md`));
    const sections = offered([hit('front.md'), hit('before.md')], [hit('before.md'), hit('front.md'), ...many].map((one) => ({ ...one, fileId: 1, title: '' })), { kbId: 1, path: 'front.md' }, false);
    const names = sections.map(({ title, choices }) => [title, ...choices.map((choice) => choice.kind === 'file' && choice.name)]);
    expect(names[0]).toEqual(['opened', 'before']);
    expect(names[1]?.slice(0, 3)).toEqual(['recent', 'changed 0', 'changed 1']);
    expect(names[1]?.length).toBeLessThan(20);
    expect(offered([], [], undefined, false)).toEqual([]);
  });

  it('puts the best command first, and all in their order when nothing is typed', () => {
    const rows = [
      { id: 'go.search' as const, name: 'Search in everything', keys: '' },
      { id: 'theme.dark' as const, name: 'Dark theme', keys: '' },
      { id: 'settings.open' as const, name: 'Settings', keys: '' },
    ];
    const names = (text: string) => commandChoices(rows, text, 9).map((choice) => choice.kind === 'command' && choice.id);
    expect(names('')).toEqual(['go.search', 'theme.dark', 'settings.open']);
    expect(names('set')[0]).toBe('settings.open');
    expect(names('the')[0]).toBe('theme.dark');
  });
});
