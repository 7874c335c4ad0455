import { beforeEach, describe, expect, it, vi } from 'vitest';

import { connect, type Host } from './client';
import { EventStream } from './events';
import type { Event, Numbered } from './generated/commands';

describe('EventStream', () => {
  let opened: { since: number; each: (event: Numbered) => void; lost: () => void; opened: () => void; closed: boolean }[];
  let stream: EventStream;
  let heard: Event[];
  const stale: Event = { type: 'stale', tags: ['files'] };
  const latest = () => {
    const last = opened.at(-1);
    if (last === undefined) throw new Error('nothing was opened');
    return last;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    opened = [];
    heard = [];
    const host: Host = {
      call: async () => null,
      listen: (since, each, lost, whole) => {
        const one = { since, each, lost, opened: whole, closed: false };
        opened.push(one);
        return () => (one.closed = true);
      },
      blobUrl: (path) => path,
      onFocus: () => () => {},
      openOutside: async () => {},
      onClose: () => () => {},
    };
    connect(host);
    stream = new EventStream();
    stream.listen((event) => heard.push(event));
    stream.open();
    return () => vi.useRealTimers();
  });

  it('tells each event once', () => {
    latest().each({ seq: 7, event: stale });
    latest().each({ seq: 7, event: stale });
    latest().each({ seq: 8, event: stale });
    expect(heard).toHaveLength(2);
  });

  it('asks again from the last number when some are missing', () => {
    latest().each({ seq: 7, event: stale });
    latest().each({ seq: 10, event: stale });
    expect(heard).toHaveLength(1);
    expect(opened.map(({ since }) => since)).toEqual([0, 7]);
    expect(opened[0]?.closed).toBe(true);
    latest().each({ seq: 8, event: stale });
    expect(heard).toHaveLength(2);
  });

  it('goes on after a resync, whatever its number', () => {
    latest().each({ seq: 90, event: stale });
    latest().each({ seq: 12, event: { type: 'resync' } });
    latest().each({ seq: 13, event: stale });
    expect(heard.map(({ type }) => type)).toEqual(['stale', 'resync', 'stale']);
  });

  it('opens a lost stream again, and says so', async () => {
    const states: boolean[] = [];
    stream.onConnection((open) => states.push(open));
    latest().each({ seq: 5, event: stale });
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    expect(latest().since).toBe(5);
    latest().lost();
    await vi.advanceTimersByTimeAsync(400);
    expect(opened).toHaveLength(3);
    latest().each({ seq: 6, event: stale });
    expect(states).toEqual([false, false, true]);
  });

  it('is whole as soon as it is open again, though nothing happens', async () => {
    const states: boolean[] = [];
    stream.onConnection((open) => states.push(open));
    latest().opened();
    expect(states).toEqual([]);
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    latest().opened();
    latest().each({ seq: 6, event: stale });
    expect(states).toEqual([false, true]);
  });

  it('is settled when it is open, and when it cannot be opened', async () => {
    const settled = vi.fn();
    void stream.settled.then(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    latest().opened();
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toHaveBeenCalledOnce();

    const other = new EventStream();
    other.open();
    latest().lost();
    await expect(other.settled).resolves.toBeUndefined();
    other.close();
  });

  it('has all asked anew when it broke before there was a number to go on from', async () => {
    latest().opened();
    expect(heard).toEqual([]);
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    latest().opened();
    expect(heard).toEqual([{ type: 'resync' }]);
    latest().each({ seq: 6, event: stale });
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    latest().opened();
    expect(heard).toHaveLength(2);
  });

  it('waits longer each time for a backend that opens and breaks at once, and not after one that held', async () => {
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    latest().opened();
    latest().lost();
    await vi.advanceTimersByTimeAsync(399);
    expect(opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toHaveLength(3);
    latest().opened();
    await vi.advanceTimersByTimeAsync(60_000);
    latest().lost();
    await vi.advanceTimersByTimeAsync(100);
    expect(opened).toHaveLength(4);
  });
});
