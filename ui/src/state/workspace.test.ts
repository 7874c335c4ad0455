import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Workspace } from './workspace.svelte';

const place = (path: string) => ({ kbId: 1, path });
const paths = (workspace: Workspace) =>
  workspace.groups.map((group) => group.tabs.map(({ content }) => (content.kind === 'note' ? content.place.path : content.kind)));

/** The focus is in a dialog, or nowhere. */
const focusIn = (dialog: object | null) => vi.stubGlobal('document', { activeElement: { closest: () => dialog } });

describe('Workspace', () => {
  beforeEach(() => void focusIn(null));

  it('opens a note once, next to the current tab', () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    workspace.openNote(place('b.md'));
    workspace.openNote(place('a.md'), { line: 7 });
    workspace.openNote(place('c.md'));
    expect(paths(workspace)).toEqual([['a.md', 'c.md', 'b.md']]);
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('c.md') });
  });

  it('remembers which notes were in front, also where they were moved, and forgets those that are gone', async () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    workspace.openNote(place('Old/b.md'));
    workspace.openSearch();
    workspace.openNote(place('a.md'));
    expect(workspace.recent).toEqual([place('a.md'), place('Old/b.md')]);
    workspace.follow(place('Old'), place('New'));
    expect(workspace.recent).toEqual([place('a.md'), place('New/b.md')]);
    await workspace.leave(place('New'));
    expect(workspace.recent).toEqual([place('a.md')]);
    await workspace.forget(1);
    expect(workspace.recent).toEqual([]);
  });

  it('takes a note as the one at hand only while a tab shows it', async () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    const b = workspace.openNote(place('b.md'));
    workspace.openDocument(place('plan.pdf'));
    expect(workspace.note).toEqual(place('b.md'));
    await workspace.close(b);
    expect(workspace.note).toEqual(place('a.md'));
    expect(workspace.canReopen).toBe(true);
    for (const tab of workspace.allTabs()) await workspace.close(tab);
    expect(workspace.note).toBeUndefined();
    workspace.reopen();
    workspace.reopen();
    workspace.reopen();
    expect(workspace.canReopen).toBe(false);
    expect(workspace.note).toBeDefined();
  });

  it('keeps what the status bar says of a tab until another is in front', () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    workspace.status = { facts: ['2 words'] };
    workspace.openNote(place('a.md'), { line: 3 });
    expect(workspace.status).toEqual({ facts: ['2 words'] });
    workspace.openNote(place('b.md'));
    expect(workspace.status).toBeUndefined();
  });

  it('tells a view where to go, once', () => {
    const workspace = new Workspace();
    const tab = workspace.openNote(place('a.md'), { line: 7, endLine: 9 });
    expect(tab.takeReveal()).toEqual({ line: 7, endLine: 9, focus: true });
    expect(tab.takeReveal()).toBeUndefined();
  });

  it('leaves the focus to a dialog that was opened meanwhile', () => {
    const tab = new Workspace().openNote(place('a.md'), { line: 7 });
    focusIn({});
    expect(tab.takeReveal()).toEqual({ line: 7, focus: false });
  });

  it('replaces the preview by the next one, and keeps what was kept', () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'), { preview: true });
    workspace.openNote(place('b.md'), { preview: true });
    expect(paths(workspace)).toEqual([['b.md']]);
    const [tab] = workspace.allTabs();
    if (tab !== undefined) workspace.keep(tab);
    workspace.openNote(place('c.md'), { preview: true });
    expect(paths(workspace)).toEqual([['b.md', 'c.md']]);
  });

  it('shows what one only walks by in one tab, beside what was opened', () => {
    const workspace = new Workspace();
    const passage = (path: string) => ({ place: place(path), lines: { start: 2, end: 2 }, snippet: 'x', blocks: null, spot: null });
    workspace.openPassage(passage('a.md'), false);
    for (const path of ['b.md', 'c.md', 'd.md']) workspace.openPassage(passage(path), false, [], true);
    expect(paths(workspace)).toEqual([['a.md', 'd.md']]);
    // Walking past what stays open leaves it open.
    workspace.openPassage(passage('a.md'), false, [], true);
    workspace.openPassage(passage('e.md'), false, [], true);
    expect(paths(workspace)).toEqual([['a.md', 'e.md']]);
  });

  it('never replaces a preview that holds unsaved text', () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'), { preview: true });
    workspace.registerDocument(place('a.md'), { unsaved: () => true, save: async () => true });
    workspace.openNote(place('b.md'), { preview: true });
    expect(paths(workspace)).toEqual([['a.md', 'b.md']]);
  });

  it('saves before it closes, and stays open when that fails', async () => {
    const workspace = new Workspace();
    const tab = workspace.openNote(place('a.md'));
    let works = false;
    workspace.registerDocument(place('a.md'), { unsaved: () => true, save: async () => works });
    expect(await workspace.close(tab)).toBe(false);
    expect(paths(workspace)).toEqual([['a.md']]);
    works = true;
    expect(await workspace.close(tab)).toBe(true);
    expect(paths(workspace)).toEqual([[]]);
  });

  it('shows the neighbour after closing, and opens the closed one again', async () => {
    const workspace = new Workspace();
    for (const name of ['a.md', 'b.md', 'c.md']) workspace.openNote(place(name));
    workspace.pick(2);
    const tab = workspace.tab;
    if (tab !== undefined) await workspace.close(tab);
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('c.md') });
    workspace.reopen();
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('b.md') });
  });

  it('opens beside, and folds the group when its last tab closes', async () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    const beside = workspace.openNote(place('b.md'), { beside: true });
    expect(paths(workspace)).toEqual([['a.md'], ['b.md']]);
    await workspace.close(beside);
    expect(paths(workspace)).toEqual([['a.md']]);
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('a.md') });
  });

  it('goes back and forward over what was visited', () => {
    const workspace = new Workspace();
    workspace.openNote(place('a.md'));
    workspace.mark(12);
    workspace.openNote(place('b.md'));
    workspace.openSearch();
    workspace.go(-1);
    workspace.go(-1);
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('a.md') });
    expect(workspace.tab?.takeReveal()).toEqual({ line: 12, focus: true });
    workspace.go(-1);
    workspace.go(1);
    expect(workspace.tab?.content).toEqual({ kind: 'note', place: place('b.md') });
  });

  it('comes back as it was left, and survives damaged memory', () => {
    const workspace = new Workspace();
    workspace.restore({
      groups: [
        {
          active: 1,
          tabs: [
            { content: { kind: 'note', place: place('a.md') }, title: 'Apples', preview: false, memory: { top: 40 } },
            { content: { kind: 'settings', page: 'models' }, preview: false },
            { content: { kind: 'nonsense' } },
            { content: { kind: 'note', place: { kbId: 'x' } } },
          ],
        },
        7,
      ],
      active: 0,
    });
    expect(paths(workspace)).toEqual([['a.md', 'settings']]);
    expect(workspace.tab?.content.kind).toBe('settings');
    expect(workspace.allTabs()[0]?.memory).toEqual({ top: 40 });
    expect(workspace.allTabs()[0]?.title).toBe('Apples');
    workspace.restore('rubbish');
    expect(paths(workspace)).toEqual([['a.md', 'settings']]);
  });
});

it('writes down what is open when all has settled, once', async () => {
  const written: unknown[] = [];
  const storage = { getItem: () => null, setItem: (_key: string, text: string) => written.push(JSON.parse(text)) };
  vi.stubGlobal('window', { sessionStorage: storage, localStorage: storage });
  const workspace = new Workspace();
  workspace.openNote(place('a.md'));
  workspace.openSearch();
  expect(written).toEqual([]);
  await Promise.resolve();
  // Once for the window, once as the start of the next one.
  expect(written).toHaveLength(2);
  expect(written[0]).toMatchObject({ groups: [{ active: 1, tabs: [{ content: { kind: 'note' } }, { content: { kind: 'search' } }] }] });
  vi.unstubAllGlobals();
});
