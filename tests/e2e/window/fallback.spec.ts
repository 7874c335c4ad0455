import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

import { expect, test } from '@playwright/test';

import { Places, built } from '../support/host';

const SWITCH = 'WEBKIT_DISABLE_DMABUF_RENDERER';

/** Processes that `parent` started to draw a page. */
function drawing(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // `pid (name) state parent …`
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return stat.includes('(WebKitWebProces)') && Number(stat.split(') ')[1]?.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** What `name` is set to in a process that runs. */
function setting(pid: number, name: string): string | undefined {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Waits as tightly as it can: what is to be caught is over soon. */
async function caught<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((next) => setImmediate(next));
  }
}

test('a window that stays blank starts again with the other renderer', async () => {
  const places = await Places.make();
  const environment = { ...places.environment };
  delete environment[SWITCH];
  const desktop: ChildProcess = spawn(built('ORANGERY_DESKTOP', 'orangery-desktop'), [], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const pid = desktop.pid ?? 0;
  let blank: number | undefined;
  try {
    // A page that nobody draws.
    blank = await caught(() => drawing(pid)[0]);
    process.kill(blank, 'SIGSTOP');
    expect(setting(pid, SWITCH)).toBeUndefined();
    // The same process goes on, and draws its page anew.
    await expect.poll(() => setting(pid, SWITCH), { timeout: 60_000 }).toBe('1');
    await expect.poll(() => drawing(pid).filter((one) => one !== blank).length, { timeout: 60_000 }).toBeGreaterThan(0);
  } finally {
    if (blank !== undefined) process.kill(blank, 'SIGKILL');
    const ended = new Promise((done) => desktop.once('exit', done));
    desktop.kill();
    await ended;
    await places.remove();
  }
});
