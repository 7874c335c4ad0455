import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cli, Places } from '../support/host';
import { editor, expect, openNote, test as base } from '../support/test';

const FOLDERS = 100;
const NOTES = 20_000;
const FLAT = 4000;
/** Processor time in which nothing else happens on the page, in milliseconds. */
const STALL = 100;

function note(n: number): string {
  return `# Note ${n}\n\n玻璃 ${n} and iron ${n * 7}. See [[note-${(n + 1) % NOTES}]].\n`;
}

const test = base.extend({
  places: async ({}, use) => {
    const places = await Places.make();
    const folder = (n: number) => (n < FLAT ? 'flat' : `folder-${n % FOLDERS}`);
    for (const name of new Set(Array.from({ length: NOTES }, (_, n) => folder(n)))) await mkdir(join(places.notes, name));
    for (let first = 0; first < NOTES; first += 500) {
      const some = Array.from({ length: Math.min(500, NOTES - first) }, (_, n) => first + n);
      await Promise.all(some.map((n) => writeFile(join(places.notes, folder(n), `note-${n}.md`), note(n))));
    }
    await use(places);
    await places.remove();
  },
});

test.use({ registered: false });

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of processor time; unlike those on the clock they do not depend on what else the machine does. */
  tdur?: number;
  args?: { name?: string };
}

/** The longest tasks of the page's main threads, in milliseconds of processor time. */
function longest(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && main.has(`${pid}:${tid}`));
  // A trace without tasks would prove nothing.
  expect(tasks.length).toBeGreaterThan(100);
  return tasks.map(({ tdur }) => (tdur ?? 0) / 1000).sort((a, b) => b - a);
}

test('a large knowledge base is scanned behind a window that can be used', async ({ page, browser, places }) => {
  test.setTimeout(400_000);
  const status = page.getByRole('contentinfo', { name: 'Status' });
  const tree = page.getByRole('tree', { name: 'Files' });
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await cli(places, 'kb', 'add', places.notes);

  // While it is read: a folder of thousands is opened and scrolled through, and a note is opened and written.
  await tree.getByRole('treeitem', { name: 'flat' }).click();
  await expect(tree.getByRole('treeitem', { name: 'note-0', exact: true })).toBeVisible();
  await tree.hover();
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 2500);
  await expect(tree.getByRole('treeitem', { name: 'note-0', exact: true })).toHaveCount(0);
  await openNote(page, 'note-1');
  await editor(page).click();
  await page.keyboard.type('written meanwhile ');
  await expect(editor(page)).toContainText('written meanwhile');

  await expect(status).toContainText('Indexed, up to date', { timeout: 240_000 });
  expect(longest(await browser.stopTracing()).filter((task) => task > STALL)).toEqual([]);
});
