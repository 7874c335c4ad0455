// @vitest-environment jsdom
import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it } from 'vitest';

import { connect, type Host } from '../../api/client';
import type { KnowledgeBase, TreeEntry } from '../../api/generated/commands';
import { QueryCache } from '../../state/query.svelte';
import { cutName } from './names';
import { Tree } from './tree.svelte';

const base = (id: number, name: string, offline = false): KnowledgeBase => ({
  id,
  name,
  root: `/${name}`,
  offline,
  files: 3,
  unreadable: 0,
  troubles: [],
  scan: { phase: 'idle', found: 3, extracted: 3, searchable: 3, documents: 0, documentsRead: 0, pages: 0, current: null, held: null },
  scannedAt: null,
  polling: false,
});

const entry = (path: string, folder: boolean): TreeEntry => ({
  kbId: 1,
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  folder,
  fileId: folder ? null : 1,
  kind: folder ? 'other' : 'markdown',
  size: 1,
  modifiedAt: 0,
  trouble: null,
});

const FOLDERS: Record<string, TreeEntry[]> = {
  '': [entry('Daily', true), entry('Projects', true), entry('Brief.md', false), entry('Budget.md', false)],
  Daily: [],
  Projects: [entry('Projects/Library', true), entry('Projects/Plan.md', false)],
  'Projects/Library': [entry('Projects/Library/会议纪要.md', false)],
};

describe('Tree', () => {
  let asked: string[];
  let bases: KnowledgeBase[];
  let cache: QueryCache;
  let tree: Tree;
  let stop: () => void;

  const settle = async () => {
    for (let n = 0; n < 20; n += 1) {
      await Promise.resolve();
      flushSync();
    }
  };
  const shown = () => tree.rows.map((row) => `${'  '.repeat(row.depth)}${row.kind === 'file' || row.kind === 'folder' || row.kind === 'base' ? row.name : row.kind}`);
  const press = async (...keys: string[]) => {
    for (const key of keys) tree.press(key, 3);
    await settle();
  };
  const cursor = () => tree.rows[tree.cursorIndex]?.name;

  beforeEach(async () => {
    asked = [];
    sessionStorage.clear();
    localStorage.clear();
    const host: Host = {
      call: async (_method, params) => {
        const { path } = params as { path: string };
        asked.push(path);
        return [...(FOLDERS[path] ?? [])];
      },
      listen: () => () => {},
      blobUrl: (path) => path,
      onFocus: () => () => {},
      openOutside: async () => {},
      onClose: () => () => {},
    };
    connect(host);
    bases = [base(1, 'Studio'), base(2, 'Archive', true)];
    cache = new QueryCache();
    tree = new Tree(() => bases, cache);
    stop = $effect.root(() => {
      $effect(() => tree.follow());
    });
    await settle();
    return () => stop();
  });

  it('lists what is open, and asks for nothing else', async () => {
    expect(shown()).toEqual(['Studio', '  Daily', '  Projects', '  Brief.md', '  Budget.md', 'Archive']);
    expect(asked).toEqual(['']);
    await press('ArrowDown', 'ArrowDown', 'ArrowRight');
    expect(asked).toEqual(['', 'Projects']);
    expect(shown()).toContain('    Library');
  });

  it('walks with the arrows: in, out, to the parent', async () => {
    await press('ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight');
    expect(cursor()).toBe('Library');
    await press('ArrowRight', 'ArrowRight');
    expect(cursor()).toBe('会议纪要.md');
    await press('ArrowLeft');
    expect(cursor()).toBe('Library');
    await press('ArrowLeft', 'ArrowLeft');
    expect(cursor()).toBe('Projects');
    await press('ArrowLeft', 'ArrowLeft');
    expect(cursor()).toBe('Studio');
    await press('End');
    expect(cursor()).toBe('Archive');
    await press('Home', 'PageDown');
    expect(cursor()).toBe('Brief.md');
  });

  it('folds a knowledge base, and keeps what was open inside', async () => {
    tree.openTo({ kbId: 1, path: 'Projects/Library/会议纪要.md' });
    await settle();
    expect(shown()).toContain('      会议纪要.md');
    tree.press('Home', 3);
    await press('ArrowLeft');
    expect(shown()).toEqual(['Studio', 'Archive']);
    await press('ArrowRight');
    expect(shown()).toContain('      会议纪要.md');
  });

  it('says that a folder is empty', async () => {
    await press('ArrowDown', 'ArrowRight');
    expect(shown().slice(0, 3)).toEqual(['Studio', '  Daily', '    empty']);
  });

  it('jumps to typed letters, and on with the same letter', () => {
    expect(tree.typeAhead('b', 0)).toBe(true);
    expect(cursor()).toBe('Brief.md');
    tree.typeAhead('b', 100);
    expect(cursor()).toBe('Budget.md');
    tree.typeAhead('p', 2000);
    expect(cursor()).toBe('Projects');
    tree.typeAhead('b', 4000);
    tree.typeAhead('u', 4100);
    expect(cursor()).toBe('Budget.md');
    expect(tree.typeAhead('z', 9000)).toBe(false);
  });

  it('keeps the cursor on its row when rows come and go around it', async () => {
    tree.typeAhead('b', 0);
    FOLDERS['']?.unshift(entry('Aims', true));
    cache.invalidate(['files']);
    await settle();
    expect(shown()).toContain('  Aims');
    expect(cursor()).toBe('Brief.md');
    FOLDERS['']?.shift();
  });

  it('opens the place where something new is named', async () => {
    await press('ArrowDown', 'ArrowDown');
    tree.create('note');
    await settle();
    expect(tree.creating).toEqual({ kbId: 1, folder: 'Projects', what: 'note' });
    expect(shown()).toEqual(['Studio', '  Daily', '  Projects', '    new', '    Library', '    Plan.md', '  Brief.md', '  Budget.md', 'Archive']);
  });

  it('holds a hundred thousand rows', async () => {
    FOLDERS['Daily'] = Array.from({ length: 100_000 }, (_, n) => entry(`Daily/${n}.md`, false));
    await press('ArrowDown', 'ArrowRight', 'End', 'ArrowUp', 'ArrowUp');
    expect(tree.rows.length).toBe(100_006);
    expect(cursor()).toBe('Brief.md');
    FOLDERS['Daily'] = [];
  });
});

describe('cutName', () => {
  it.each([
    ['A long name 2026-10-30', 'A long name', ' 2026-10-30'],
    ['Cost plan v3', 'Cost plan', ' v3'],
    ['会议纪要 2026-11-18', '会议纪要', ' 2026-11-18'],
    ['Chapter (12)', 'Chapter', ' (12)'],
    ['Brief', 'Brief', ''],
    ['2026-11-24', '2026-11-24', ''],
    ['3D printing', '3D printing', ''],
  ])('%s', (name, start, end) => {
    expect(cutName(name)).toEqual({ start, end });
  });
});
