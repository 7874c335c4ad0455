// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';

import { connect, type Host } from '../../api/client';
import type { FilesWeighed } from '../../api/generated/commands';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';
import { canEnter, TreeWork } from './work.svelte';

const at = (path: string, kbId = 1) => ({ kbId, path });
const weight = (linkingNotes: number, kept = true): FilesWeighed => ({
  contents: { files: 3, folders: 1, hidden: 1, unindexed: 0, bytes: 10 },
  linkingNotes,
  kept,
  unkept: [],
});

describe('TreeWork', () => {
  let asked: [string, unknown][];
  let linking: number;
  let refuse: object | undefined;
  let work: TreeWork;
  const calls = (method: string) => asked.filter(([name]) => name === method).map(([, params]) => params);

  beforeEach(async () => {
    asked = [];
    linking = 0;
    refuse = undefined;
    const host: Host = {
      call: async (method, params) => {
        asked.push([method, params]);
        if (method === 'file.weigh') return weight(linking);
        if (refuse !== undefined) throw refuse;
        if (method === 'file.move' || method === 'file.trash') return { changeSetId: 7, applied: [1], conflicts: [], failed: [], state: 'applied' };
        return {};
      },
      listen: () => () => {},
      blobUrl: (path) => path,
      openOutside: async () => {},
      onClose: () => () => {},
      onFocus: () => () => {},
    };
    connect(host);
    for (const tab of workspace.allTabs()) await workspace.close(tab);
    for (const { id } of toasts.list) toasts.dismiss(id);
    work = new TreeWork();
  });

  it('renames at once what nothing links to, and keeps the extension', async () => {
    expect(await work.rename({ place: at('Notes/Brief.md'), folder: false }, ' Plan ')).toBe(true);
    expect(calls('file.move')).toEqual([{ from: at('Notes/Brief.md'), to: at('Notes/Plan.md'), links: false }]);
    expect(work.asked).toBeUndefined();
    expect(toasts.list.at(-1)?.action).toBeDefined();
    await work.rename({ place: at('Notes/v1.2'), folder: true }, 'v1.3');
    expect(calls('file.move')[1]).toEqual({ from: at('Notes/v1.2'), to: at('Notes/v1.3'), links: false });
  });

  it('says that a name is taken before it asks anything', async () => {
    linking = 3;
    const taken = (path: string) => path === 'Notes/Plan.md';
    expect(await work.rename({ place: at('Notes/Brief.md'), folder: false }, 'Plan', taken)).toBe(false);
    expect(work.error?.code).toBe('exists');
    expect(work.asked).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await work.rename({ place: at('Notes/Brief.md'), folder: false }, 'Plans', taken)).toBe(true);
  });

  it('does nothing for the same name, and refuses a path', async () => {
    expect(await work.rename({ place: at('Brief.md'), folder: false }, 'Brief')).toBe(true);
    expect(await work.rename({ place: at('Brief.md'), folder: false }, '')).toBe(true);
    expect(await work.rename({ place: at('Brief.md'), folder: false }, 'a/b')).toBe(false);
    expect(work.error?.code).toBe('badPath');
    expect(asked).toEqual([]);
  });

  it('asks where notes link to it, and then does as it was told', async () => {
    linking = 2;
    await work.rename({ place: at('Brief.md'), folder: false }, 'Plan');
    expect(work.asked?.weight.linkingNotes).toBe(2);
    expect(calls('file.move')).toEqual([]);
    await work.confirm(true);
    expect(calls('file.move')).toEqual([{ from: at('Brief.md'), to: at('Plan.md'), links: true }]);
    expect(work.asked).toBeUndefined();
  });

  it('lets what is open follow a moved folder, and says where it went', async () => {
    const tab = workspace.openNote(at('Old/Brief.md'));
    await work.move({ place: at('Old'), folder: true }, at('Archive', 2));
    expect(work.asked?.what).toBe('move');
    await work.confirm(false);
    expect(tab.content).toEqual({ kind: 'note', place: at('Archive/Old/Brief.md', 2) });
    expect(workspace.note).toEqual(at('Archive/Old/Brief.md', 2));
    expect(work.went).toEqual(at('Archive/Old', 2));
  });

  it('always asks before it deletes, and closes what showed it', async () => {
    workspace.openNote(at('Notes/Brief.md'));
    workspace.openNote(at('Other.md'));
    await work.remove({ place: at('Notes'), folder: true });
    expect(calls('file.trash')).toEqual([]);
    await work.confirm(true);
    expect(calls('file.trash')).toEqual([{ places: [at('Notes')] }]);
    expect(workspace.allTabs().map(({ content }) => content)).toEqual([{ kind: 'note', place: at('Other.md') }]);
  });

  it('keeps the question and says why when it is refused', async () => {
    await work.remove({ place: at('Brief.md'), folder: false });
    refuse = { kind: 'invalid', code: 'exists', message: 'there', detail: {} };
    await work.confirm(true);
    expect(work.error?.code).toBe('exists');
    expect(work.asked?.what).toBe('delete');
    expect(toasts.list).toEqual([]);
    work.cancel();
    expect([work.asked, work.error]).toEqual([undefined, undefined]);
  });
});

it('lets no folder enter itself', () => {
  expect(canEnter(at('a'), at('a'))).toBe(false);
  expect(canEnter(at('a'), at('a/b'))).toBe(false);
  expect(canEnter(at('a'), at('ab'))).toBe(true);
  expect(canEnter(at('a'), at('a', 2))).toBe(true);
  expect(canEnter(at('a/b.md'), at(''))).toBe(true);
});
