// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import type * as storage from './storage';

afterEach(() => {
  document.head.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
});

async function ofData(name: string): Promise<typeof storage> {
  const meta = document.createElement('meta');
  meta.setAttribute('name', 'data');
  meta.setAttribute('content', name);
  document.head.replaceChildren(meta);
  vi.resetModules();
  return import('./storage');
}

test('what is remembered of one data directory is not taken for something of another', async () => {
  (await ofData('dONE')).remember('workspace', { tabs: 1 });
  expect((await ofData('dTWO')).recall('workspace')).toBeUndefined();
  expect((await ofData('dONE')).recall('workspace')).toEqual({ tabs: 1 });
});
