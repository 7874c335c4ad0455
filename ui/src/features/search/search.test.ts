import { describe, expect, it, vi } from 'vitest';

import { connect, type Host } from '../../api/client';
import type { SearchGroup, SearchPage, SearchQuery } from '../../api/generated/commands';
import { Search } from './controller.svelte';
import { linesOf, onOneLine } from './results';

const page = (...groups: SearchGroup[]): SearchPage => ({ groups, totalFiles: groups.length, more: false, warnings: [], incomplete: null, tookUs: 1 });

const group = (fileId: number, hits = 1): SearchGroup => ({
  fileId,
  place: { kbId: 1, path: `${fileId}.md` },
  kbName: 'Studio',
  kind: 'markdown',
  title: `${fileId}`,
  titleMarks: [],
  modifiedAt: 0,
  hits: Array.from({ length: hits }, (_, n) => ({
    fileId,
    place: { kbId: 1, path: `${fileId}.md` },
    title: '',
    headingPath: [],
    lines: { start: n + 1, end: n + 1 }, blocks: null, spot: null, spotEnd: null,
    snippet: 'x',
    marks: [],
  })),
});

function hostOf(answer: (query: SearchQuery, signal?: AbortSignal) => Promise<SearchPage>): Host {
  return {
    call: (_method, params, signal) => answer(params as SearchQuery, signal),
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: async () => {},
    onClose: () => () => {},
  };
}

describe('Search', () => {
  it('asks once for letters that follow at once, the last word as a beginning', async () => {
    vi.useFakeTimers();
    const asked: SearchQuery[] = [];
    connect(hostOf(async (query) => (asked.push(query), page(group(1)))));
    const search = new Search();
    search.bases = () => [1, 2];
    search.type('采');
    search.type('采光');
    await vi.runAllTimersAsync();
    expect(asked.map(({ text, prefix, kbIds }) => ({ text, prefix, kbIds }))).toEqual([{ text: '采光', prefix: true, kbIds: [] }]);
    search.type('daylight ');
    await vi.runAllTimersAsync();
    expect(asked.at(-1)?.prefix).toBe(false);
    vi.useRealTimers();
  });

  it('asks again where nothing was found while the index moved on', async () => {
    const answers: ((page: SearchPage) => void)[] = [];
    connect(hostOf(() => new Promise((resolve) => answers.push(resolve))));
    const search = new Search();
    search.text = 'a';
    const first = search.run();
    search.indexMoved();
    answers[0]?.(page());
    await first;
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(page(group(1)));
    await vi.waitFor(() => expect(search.passages).toBe(1));
    // What is found stays as it is under the pointer.
    search.indexMoved();
    expect(answers).toHaveLength(2);
  });

  it('shows the answer to the newest question only', async () => {
    const answers: ((page: SearchPage) => void)[] = [];
    connect(hostOf(() => new Promise((resolve) => answers.push(resolve))));
    const search = new Search();
    search.text = 'a';
    const first = search.run();
    search.text = 'ab';
    const second = search.run();
    answers[1]?.(page(group(2)));
    await second;
    answers[0]?.(page(group(1)));
    await first;
    expect(search.page?.groups.map(({ fileId }) => fileId)).toEqual([2]);
    expect(search.answered).toBe('ab');
  });

  it('keeps what was chosen while an answer was on its way, and drops it where other words are written', async () => {
    const answers: ((page: SearchPage) => void)[] = [];
    connect(hostOf(() => new Promise((resolve) => answers.push(resolve))));
    const search = new Search();
    search.text = 'a';
    const first = search.run();
    answers[0]?.(page(group(1), group(2, 2)));
    await first;
    search.type('ab');
    search.at = 4;
    const second = search.run();
    answers[1]?.(page(group(2, 2), group(1)));
    await second;
    expect(search.at).toBe(2);
    search.filter({ changed: 'week' });
    answers[2]?.(page(group(1)));
    await vi.waitFor(() => expect(search.passages).toBe(1));
    expect(search.at).toBe(-1);
    search.at = 1;
    search.type('abc');
    expect(search.at).toBe(-1);
    search.clear();
  });

  it('takes back the question before, and none of its failure is seen', async () => {
    const asked: AbortSignal[] = [];
    const answers: ((page: SearchPage) => void)[] = [];
    connect(
      hostOf((_query, signal) =>
        new Promise((resolve, reject) => {
          if (signal) asked.push(signal);
          answers.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      ),
    );
    const search = new Search();
    search.text = 'a';
    const first = search.run();
    search.text = 'ab';
    const second = search.run();
    expect(asked.map(({ aborted }) => aborted)).toEqual([true, false]);
    await first;
    expect(search.error).toBeUndefined();
    expect(search.loading).toBe(true);
    answers[1]?.(page(group(2)));
    await second;
    expect(search.page?.groups).toHaveLength(1);
    search.clear();
    expect(search.loading).toBe(false);
  });

  it('narrows by what is left ticked, and finds nothing when nothing is', async () => {
    let calls = 0;
    connect(hostOf(async () => ((calls += 1), page(group(1)))));
    const search = new Search(() => 100 * 86_400_000);
    search.bases = () => [1, 2];
    search.text = 'a';
    search.withoutBases = [2];
    search.withoutKinds = ['text', 'image', 'other'];
    search.changed = 'week';
    expect(search.query([1, 2])).toMatchObject({ kbIds: [1], fileTypes: ['markdown', 'pdf', 'docx', 'pptx', 'table', 'epub', 'html'], updatedAfter: 93 * 86_400_000 });
    search.withoutBases = [1, 2];
    await search.run();
    expect(calls).toBe(0);
    expect(search.page?.groups).toEqual([]);
  });

  it('adds the next files below, each once', async () => {
    connect(hostOf(async ({ offset }) => ({ ...page(...(offset === 0 ? [group(1), group(2)] : [group(2), group(3)])), more: offset === 0 })));
    const search = new Search();
    search.text = 'a';
    await search.run();
    await search.more();
    expect(search.page?.groups.map(({ fileId }) => fileId)).toEqual([1, 2, 3]);
    await search.more();
    expect(search.page?.groups).toHaveLength(3);
  });
});

it('makes one line for each file and each passage', () => {
  expect(linesOf([group(1, 2), group(2)]).map((line) => line.kind)).toEqual(['file', 'passage', 'passage', 'file', 'passage']);
});

describe('onOneLine', () => {
  it('leaves a snippet whose mark is near the start', () => {
    expect(onOneLine({ snippet: 'even daylight\nat the desks', marks: [[5, 13]], headingPath: [] })).toEqual({ text: 'even daylight at the desks', marks: [[5, 13]] });
  });

  it('begins shortly before a mark that is far', () => {
    const snippet = `${'word '.repeat(20)}采光 matters`;
    const { text, marks } = onOneLine({ snippet, marks: [[100, 102]], headingPath: [] });
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['采光']);
    expect(text.startsWith('… word')).toBe(true);
    expect(marks[0]?.[0]).toBeLessThan(40);
  });

  it('leaves out the heading that stands beside it, unless that is what was found', () => {
    const hit = { snippet: 'Light\nLight falls on desks', headingPath: ['Brief', 'Light'] };
    const { text, marks } = onOneLine({ ...hit, marks: [[21, 26]] });
    expect(text).toBe('Light falls on desks');
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['desks']);
    expect(onOneLine({ ...hit, marks: [[0, 5], [6, 11]] })).toEqual({ text: 'Light falls on desks', marks: [[0, 5]] });
    expect(onOneLine({ ...hit, marks: [[0, 5]] }).text).toBe('Light Light falls on desks');
    expect(onOneLine({ ...hit, headingPath: ['Brief'], marks: [[21, 26]] }).text).toBe('Light Light falls on desks');
  });

  it('never cuts a character in two', () => {
    const snippet = `${'🌞'.repeat(40)}sun`;
    const { text, marks } = onOneLine({ snippet, marks: [[80, 83]], headingPath: [] });
    expect(text).not.toMatch(/^… [\uDC00-\uDFFF]/);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['sun']);
  });
});
