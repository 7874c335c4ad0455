import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../api/client';
import type { DocumentView } from '../../api/generated/commands';
import { DocumentFile, isLocked, isPictureOnly } from './file.svelte';
import { partAt, partsOf, TOGETHER as BLOCKS } from './parts.svelte';
import { SheetRows, TOGETHER as ROWS } from './rows.svelte';

const place = { kbId: 1, path: 'a.pdf' };
const view = (change: Partial<DocumentView> = {}): DocumentView => ({
  place, file: null, kind: 'pdf', hash: 'h', title: 'a', trouble: null, warnings: [], outline: [], pages: [], pictures: [], blocks: 3, sheets: [], ...change,
});

let asked: { method: string; params: Record<string, unknown> }[];
let answer: (method: string, params: Record<string, unknown>) => unknown;

beforeEach(() => {
  asked = [];
  connect({
    call: async (method, params) => {
      asked.push({ method, params: params as Record<string, unknown> });
      return answer(method, params as Record<string, unknown>);
    },
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: async () => {},
    onClose: () => () => {},
  });
});

describe('DocumentFile', () => {
  it('says that a password is wrong, and shows the document when one is right', async () => {
    const file = new DocumentFile(place);
    answer = () => view({ trouble: { code: 'encrypted' }, blocks: 0 });
    await file.load();
    expect(file.view && isLocked(file.view)).toBe(true);
    const locked = file.state;
    answer = () => Promise.reject({ kind: 'denied', code: 'wrongPassword', message: '', detail: {} });
    expect(await file.unlock('no', 'run')).toBe(false);
    answer = () => view();
    expect(await file.unlock('yes', 'keyring')).toBe(true);
    expect(asked.at(-1)).toEqual({ method: 'document.unlock', params: { place, password: 'yes', keep: 'keyring' } });
    expect(file.state).not.toBe(locked);
  });

  it('keeps what it shows when it cannot be read anew, and takes the newest answer', async () => {
    const file = new DocumentFile(place);
    answer = () => view();
    await file.load();
    answer = () => Promise.reject({ kind: 'unavailable', code: 'offline', message: '', detail: {} });
    await file.load();
    expect(file.view?.hash).toBe('h');
    expect(file.failure?.code).toBe('offline');
    let late: (view: DocumentView) => void = () => {};
    answer = () => new Promise((done) => (late = done));
    const first = file.load();
    answer = () => view({ hash: 'new' });
    await file.retry();
    late(view({ hash: 'old' }));
    await first;
    expect(file.view?.hash).toBe('new');
    expect(file.failure).toBeUndefined();
  });
});

it('tells pictures of pages from documents without text', () => {
  const page = (layer: 'present' | 'absent' | 'empty') => ({ label: '', width: 1, height: 1, layer });
  expect(isPictureOnly({ blocks: 0, pages: [page('absent')] })).toBe(true);
  expect(isPictureOnly({ blocks: 2, pages: [page('absent')] })).toBe(false);
  expect(isPictureOnly({ blocks: 0, pages: [page('empty')] })).toBe(false);
});

describe('runs of blocks', () => {
  const block = (n: number) => ({ block: n, kind: 'paragraph', text: String(n), spot: { kind: 'flow' }, links: [], pictures: [] });
  const blocks = (from: number, limit: number) => ({ blocks: Array.from({ length: limit }, (_, n) => block(from + n)), total: 1000 });

  it('cover a document, each block once', async () => {
    answer = (_, { from, limit }) => blocks(Number(from), Number(limit));
    const parts = partsOf(place, BLOCKS * 2 + 1);
    expect(parts.map(({ count }) => count)).toEqual([BLOCKS, BLOCKS, 1]);
    await Promise.all(parts.map((part) => part.load()));
    const all = parts.flatMap((part) => part.blocks ?? []).map(({ block }) => block);
    expect(all).toEqual(Array.from({ length: BLOCKS * 2 + 1 }, (_, n) => n + 1));
    expect(parts.map(({ before }) => before?.block)).toEqual([undefined, BLOCKS, BLOCKS * 2]);
    expect([1, BLOCKS, BLOCKS + 1, BLOCKS * 2 + 1].map(partAt)).toEqual([0, 0, 1, 2]);
  });

  it('are asked for once, and again after a failure', async () => {
    answer = () => Promise.reject(new Error('gone'));
    const [part] = partsOf(place, 5);
    await Promise.all([part?.load(), part?.load()]);
    expect(asked).toHaveLength(1);
    expect(part?.failure).toBeDefined();
    answer = (_, { from, limit }) => blocks(Number(from), Number(limit));
    await part?.load();
    expect(part?.blocks).toHaveLength(5);
    expect(part?.failure).toBeUndefined();
  });
});

describe('SheetRows', () => {
  it('asks for each run once, and keeps the first and the last ones', async () => {
    answer = (_, { from, limit }) => ({ rows: Array.from({ length: Number(limit) }, (_, n) => [String(Number(from) + n)]), total: 1e6, columns: 1 });
    const rows = new SheetRows(place, 2);
    await Promise.all([rows.want(0, 10), rows.want(0, 1).then(() => expect(rows.row(0)).toEqual(['1']))]);
    await rows.want(0, ROWS + 1);
    expect(asked.map(({ params }) => params)).toEqual([
      { place, sheet: 2, from: 1, limit: ROWS },
      { place, sheet: 2, from: ROWS + 1, limit: ROWS },
    ]);
    expect(rows.row(ROWS)).toEqual([String(ROWS + 1)]);
    for (let run = 2; run < 60; run += 1) await rows.want(run * ROWS, run * ROWS + 1);
    expect(rows.row(0)).toEqual(['1']);
    expect(rows.row(5 * ROWS)).toBeUndefined();
    expect(rows.row(59 * ROWS)).toEqual([String(59 * ROWS + 1)]);
  });
});
