import { beforeEach, expect, it } from 'vitest';

import { connect } from '../api/client';
import type { KnowledgeBase, ScanState } from '../api/generated/commands';
import { Rescan } from './rescan.svelte';

const idle: ScanState = { phase: 'idle', found: 3, extracted: 3, searchable: 3, documents: 0, documentsRead: 0, pages: 0, current: null, held: null };
const base = (id: number, change: Partial<KnowledgeBase> = {}): KnowledgeBase => ({
  id,
  name: `${id}`,
  root: `/${id}`,
  offline: false,
  files: 3,
  unreadable: 0,
  troubles: [],
  scan: idle,
  scannedAt: 0,
  polling: false,
  ...change,
});

let asked: string[];
let focus: Set<() => void>;
let now: number;
let knowledgeBases: KnowledgeBase[];
let rescan: Rescan;

beforeEach(() => {
  asked = [];
  now = 100_000;
  knowledgeBases = [base(1)];
  focus = new Set();
  connect({
    call: async (method, params) => void asked.push(`${method} ${(params as { kbId: number }).kbId}`),
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: (each) => {
      focus.add(each);
      return () => focus.delete(each);
    },
    openOutside: async () => {},
    onClose: () => () => {},
  });
  rescan = new Rescan({ get knowledgeBases() { return knowledgeBases; }, scanOf: (kb) => kb.scan }, () => now);
});

const look = () => focus.forEach((each) => each());

it('looks at every folder when the window gets the focus, and not again a moment later', () => {
  const leave = rescan.followFocus();
  expect(asked).toEqual([]);
  look();
  look();
  expect(asked).toEqual(['kb.rescan 1']);
  now += 60_000;
  look();
  expect(asked).toHaveLength(2);
  leave();
  now += 60_000;
  look();
  expect(asked).toHaveLength(2);
});

it('leaves alone what is at work, out of reach, never scanned, or scanned just now', () => {
  knowledgeBases = [
    base(1, { scan: { ...idle, phase: 'scanning' } }),
    base(2, { scan: { ...idle, phase: 'indexing' } }),
    base(3, { offline: true }),
    base(4, { scannedAt: null }),
    base(5, { scannedAt: now - 1000 }),
    base(6, { polling: true }),
  ];
  rescan.lookAgain();
  expect(asked).toEqual(['kb.rescan 6']);
});

it('does not wake what the user paused', () => {
  knowledgeBases = [base(1), base(2, { scan: { ...idle, held: 'paused' } }), base(3, { scan: { ...idle, held: 'cancelled' } })];
  rescan.pause(1);
  rescan.lookAgain();
  expect(asked).toEqual(['kb.pause 1']);
  rescan.resume(1);
  now += 60_000;
  rescan.lookAgain();
  expect(asked).toEqual(['kb.pause 1', 'kb.rescan 1', 'kb.rescan 1']);
});
