import { describe, expect, it } from 'vitest';

import { call, connect, holdCalls } from './client';

describe('call', () => {
  it('asks nothing while calls are held back, and not what nobody waits for any more', async () => {
    const asked: string[] = [];
    connect({
      call: async (method) => asked.push(method),
      listen: () => () => {},
      blobUrl: (path) => path,
      onFocus: () => () => {},
      openOutside: async () => {},
      onClose: () => () => {},
    });
    let open = () => {};
    holdCalls(new Promise((settle) => (open = settle)));
    const leaving = new AbortController();
    const left = call('model.list', {}, leaving.signal);
    const stayed = call('kb.list', {});
    await Promise.resolve();
    expect(asked).toEqual([]);

    leaving.abort();
    open();
    await expect(left).rejects.toThrow();
    await stayed;
    await call('setting.get', {});
    expect(asked).toEqual(['kb.list', 'setting.get']);
  });
});
