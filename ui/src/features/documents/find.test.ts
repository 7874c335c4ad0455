import { beforeEach, describe, expect, it } from 'vitest';

import { connect } from '../../api/client';
import type { ListBlocks } from '../../api/generated/commands';
import { Find, type Found } from './find.svelte';

const TOTAL = 2500;
let asked: number[];
let gone: Found[];
let find: Find;

beforeEach(() => {
  asked = [];
  gone = [];
  connect({
    call: async (_, params) => {
      const { from, limit } = params as ListBlocks;
      asked.push(from);
      const blocks = Array.from({ length: Math.min(limit, TOTAL - from + 1) }, (_, index) => from + index);
      return { total: TOTAL, blocks: blocks.map((block) => ({ block, text: block % 1000 === 0 ? 'roof, Roof' : 'wall', spot: { kind: 'page', page: Math.ceil(block / 500), area: null } })) };
    },
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: async () => {},
    onClose: () => () => {},
  });
  find = new Find({ kbId: 1, path: 'a.pdf' }, (found) => gone.push(found));
  find.open = true;
});

describe('Find', () => {
  it('looks through the whole document and begins at the page that is read', async () => {
    await find.look('roof', TOTAL, 3);
    expect(find.found.map(({ block, nth }) => [block, nth])).toEqual([[1000, 0], [1000, 1], [2000, 0], [2000, 1]]);
    expect(gone).toEqual([find.found[2]]);
    find.step(1);
    find.step(1);
    expect(find.at).toBe(0);
    find.step(-1);
    expect(find.at).toBe(3);
    expect(find.marks).toMatchObject({ words: ['roof'], here: { block: 2000, nth: 1 } });
  });

  it('shows the first match where none comes after, and reads the text once', async () => {
    await find.look('roof', TOTAL, 99);
    expect(find.at).toBe(0);
    await find.look('wal', TOTAL, 1);
    expect(asked).toEqual([1, 1001, 2001]);
    await find.look('nothing', TOTAL, 1);
    expect([find.found.length, find.at, find.busy]).toEqual([0, undefined, false]);
  });

  it('leaves the answer to the text that was typed last', async () => {
    const first = find.look('wall', TOTAL, 1);
    await find.look('roof', TOTAL, 1);
    await first;
    expect(find.found).toHaveLength(4);
  });

  it('marks what a search led to until it is opened, and nothing without words', () => {
    find.open = false;
    find.led = { words: ['wall'], within: [3, 4] };
    expect(find.marks).toEqual({ words: ['wall'], within: [3, 4] });
    find.open = true;
    expect(find.marks.words).toEqual([]);
  });
});
