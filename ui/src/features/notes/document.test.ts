// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connect } from '../../api/client';
import type { OpenNote } from '../../api/generated/commands';
import { NoteDocument } from './document.svelte';
import { noteStatus } from './status';

const place = { kbId: 1, path: 'glass.md' };
let calls: { method: string; params: unknown }[];
let text: string;
let refuse: unknown;
const living: NoteDocument[] = [];

function note(): OpenNote {
  return { file: null, place, text, base: 'h0', encoding: 'UTF-8', bom: false, lineEnding: 'lf', readOnly: null };
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  text = 'Cast iron\n';
  refuse = undefined;
  localStorage.clear();
  connect({
    call: async (method, params) => {
      calls.push({ method, params });
      if (method === 'note.open') return note();
      if (refuse !== undefined) throw refuse;
      return { base: `h${calls.length}`, lineEnding: 'lf' };
    },
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: async () => {},
    onClose: () => () => {},
  });
});

afterEach(() => {
  for (const document of living.splice(0)) document.dispose();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function opened(): Promise<NoteDocument> {
  const document = new NoteDocument(place);
  living.push(document);
  await document.load();
  return document;
}

const saves = () => calls.filter(({ method }) => method === 'note.save');

it('says when unsaved text could not be kept for a restart, and no longer once it is saved', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  refuse = { kind: 'unavailable', code: 'unavailable', message: 'no', detail: {} };
  const document = await opened();
  document.take('Cast iron and glass\n');
  expect(document.kept).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(document.state.phase).toBe('failed');
  expect(document.kept).toBe(false);
  expect(noteStatus(document).save).toBe('Not saved, nor kept for a restart');

  full.mockRestore();
  document.take('Cast iron, glass\n');
  await vi.advanceTimersByTimeAsync(300);
  expect(document.kept).toBe(true);
  expect(localStorage.getItem('orangery..draft:1:glass.md')).toContain('Cast iron, glass');

  refuse = undefined;
  await document.save();
  expect(document.unsaved).toBe(false);
  expect(document.kept).toBe(true);
  expect(localStorage.getItem('orangery..draft:1:glass.md')).toBeNull();
});

/** Numbers that repeat, so that a failure does. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

it('has no edits of a note in which nobody typed, whatever its front matter and its line ends', async () => {
  const pieces = ['---', '...', 'tags: [a, "b: c"]', '# comment', 'date:  2026-01-02 ', '\t- x', '', '   ', '# Glass', '- [ ] task', '\u2028', '\uFEFF', '橙园', '```', '| a | b |', '[[Iron|x]]', '\0'];
  const ends = ['\n', '\r\n', '\r'];
  for (let seed = 1; seed <= 40; seed += 1) {
    const roll = dice(seed);
    const lines = Array.from({ length: roll(12) }, () => `${pieces[roll(pieces.length)] ?? ''}${ends[roll(3)] ?? ''}`);
    text = `${roll(2) === 0 ? `---${ends[roll(3)] ?? ''}` : ''}${lines.join('')}`;
    calls = [];
    const document = await opened();
    const holder = window.document.createElement('div');
    const view = document.mount(holder);
    view.dispatch({ selection: { anchor: roll(view.state.doc.length + 1) } });
    document.unmount(view);
    expect(document.unsaved, JSON.stringify(text)).toBe(false);
    expect(await document.save()).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(saves(), JSON.stringify(text)).toEqual([]);
    document.dispose();
  }
}, 60_000);
