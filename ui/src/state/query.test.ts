import { beforeEach, describe, expect, it, vi } from 'vitest';

import { connect, type Host } from '../api/client';
import { QueryCache } from './query.svelte';

/** A host whose answers are given by hand, in any order. */
function handHost() {
  const waiting: { method: string; params: unknown; signal: AbortSignal | undefined; answer: (value: unknown) => void; refuse: (reason: unknown) => void }[] = [];
  const host: Host = {
    call: (method, params, signal) =>
      new Promise((answer, refuse) => {
        waiting.push({ method, params, signal, answer, refuse });
        signal?.addEventListener('abort', () => refuse(signal.reason));
      }),
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: async () => {},
    onClose: () => () => {},
  };
  return { host, waiting };
}

const settled = () => vi.advanceTimersByTimeAsync(0);
/** Longer than the rest between two answers to one question. */
const rested = () => vi.advanceTimersByTimeAsync(1000);

describe('QueryCache', () => {
  let hand: ReturnType<typeof handHost>;
  let cache: QueryCache;

  beforeEach(() => {
    vi.useFakeTimers();
    hand = handHost();
    connect(hand.host);
    cache = new QueryCache();
    return () => vi.useRealTimers();
  });

  it('asks once for the same method and parameters', async () => {
    const a = cache.open('file.list', { kbId: 1, path: '' });
    const b = cache.open('file.list', { kbId: 1, path: '' });
    cache.open('file.list', { kbId: 1, path: 'Daily' });
    expect(a).toBe(b);
    expect(hand.waiting).toHaveLength(2);
    hand.waiting[0]?.answer([]);
    await settled();
    expect(a.data).toEqual([]);
    expect(a.loading).toBe(false);
  });

  it('asks again for what a stale tag names, and for nothing else', async () => {
    const files = cache.open('file.list', { kbId: 1, path: '' });
    cache.open('setting.get', {});
    hand.waiting.splice(0).forEach(({ answer }) => answer([]));
    await settled();
    cache.take({ type: 'stale', tags: ['files'] });
    expect(hand.waiting.map(({ method }) => method)).toEqual(['file.list']);
    expect(files.data).toEqual([]);
    hand.waiting[0]?.answer([]);
    await settled();
    cache.take({ type: 'resync' });
    expect(hand.waiting.map(({ method }) => method)).toEqual(['file.list', 'file.list', 'setting.get']);
  });

  it('asks one at a time, shows each answer, and ends with one that is newer than the last event', async () => {
    const query = cache.open('kb.list', {});
    for (let n = 0; n < 5; n += 1) cache.invalidate(['knowledgeBases']);
    expect(hand.waiting).toHaveLength(1);
    hand.waiting[0]?.answer(['first']);
    await settled();
    expect(query.data).toEqual(['first']);
    expect(query.loading).toBe(true);
    expect(hand.waiting).toHaveLength(1);
    await rested();
    expect(hand.waiting).toHaveLength(2);
    cache.invalidate(['knowledgeBases']);
    hand.waiting[1]?.answer(['second']);
    await rested();
    hand.waiting[2]?.answer(['third']);
    await settled();
    expect(hand.waiting).toHaveLength(3);
    expect(query.data).toEqual(['third']);
    expect(query.loading).toBe(false);
  });

  it('asks again after a failure when the answer had grown stale meanwhile', async () => {
    const query = cache.open('kb.list', {});
    cache.invalidate();
    hand.waiting[0]?.refuse({ kind: 'unavailable', code: 'hostGone', message: 'gone', detail: {} });
    await rested();
    hand.waiting[1]?.answer([]);
    await settled();
    expect(query.error).toBeUndefined();
    expect(query.data).toEqual([]);
  });

  it('does not show an answer that is older than what was put in its place', async () => {
    const query = cache.open('kb.list', {});
    query.put([]);
    hand.waiting[0]?.answer(['old']);
    await settled();
    expect(query.data).toEqual([]);
  });

  it('leaves what grew stale on its way to the next who looks', async () => {
    const query = cache.open('kb.list', {});
    cache.invalidate();
    cache.release(query);
    hand.waiting[0]?.answer([]);
    await rested();
    expect(hand.waiting).toHaveLength(1);
    cache.open('kb.list', {});
    expect(hand.waiting).toHaveLength(2);
  });

  it('keeps the last answer when asking again fails, and tells why', async () => {
    const query = cache.open('kb.list', {});
    hand.waiting[0]?.answer([]);
    await settled();
    cache.invalidate();
    hand.waiting[1]?.refuse({ kind: 'unavailable', code: 'hostGone', message: 'gone', detail: {} });
    await settled();
    expect(query.data).toEqual([]);
    expect(query.error?.code).toBe('hostGone');
    // The next who opens it tries again.
    cache.open('kb.list', {});
    expect(hand.waiting).toHaveLength(3);
  });

  it('does not ask again for what nobody looks at, but when it is opened next', async () => {
    const query = cache.open('kb.list', {});
    hand.waiting[0]?.answer([]);
    await settled();
    cache.release(query);
    cache.invalidate();
    expect(hand.waiting).toHaveLength(1);
    cache.open('kb.list', {});
    expect(hand.waiting).toHaveLength(2);
  });

  it('takes back what nobody waits for any more, and asks anew when somebody does', async () => {
    const first = cache.open('file.find', { text: 'g', limit: 50 });
    cache.release(first);
    const second = cache.open('file.find', { text: 'gl', limit: 50 });
    await settled();
    expect(hand.waiting.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    expect(first.error).toBeUndefined();
    expect(first.loading).toBe(false);

    const again = cache.open('file.find', { text: 'g', limit: 50 });
    hand.waiting[2]?.answer(['glass']);
    hand.waiting[1]?.answer([]);
    await settled();
    expect(again.data).toEqual(['glass']);
    expect(second.data).toEqual([]);
  });

  it('lets an answer come that is released and opened again at once', async () => {
    cache.release(cache.open('kb.list', {}));
    const query = cache.open('kb.list', {});
    await settled();
    expect(hand.waiting.map(({ signal }) => signal?.aborted)).toEqual([false]);
    hand.waiting[0]?.answer([]);
    await settled();
    expect(query.data).toEqual([]);
  });

  it('forgets what nobody has looked at for a while', () => {
    const query = cache.open('kb.list', {});
    cache.release(query);
    vi.advanceTimersByTime(59_000);
    expect(cache.size).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(cache.size).toBe(0);
  });
});
