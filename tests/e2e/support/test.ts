import { type Locator, type Page, expect, test as base } from '@playwright/test';

import { Host, Places } from './host';

interface Fixtures {
  places: Places;
  /** A host whose knowledge base is the folder `notes`, as the test filled it with `fill`. */
  host: Host;
  /** Files of the knowledge base before the host starts. */
  fill: Record<string, string | Uint8Array>;
  /** Whether the folder is registered before the page opens. */
  registered: boolean;
  /** What else the host is started with. */
  flags: readonly string[];
}

/**
 * A page of a running host. Whatever the page asks of another origin, whatever its policy refuses, and whatever it
 * throws fails the test: there is no test in which that would be right.
 */
export const test = base.extend<Fixtures>({
  fill: [{}, { option: true }],
  registered: [true, { option: true }],
  flags: [[], { option: true }],

  places: async ({ fill }, use) => {
    const places = await Places.make();
    for (const [name, content] of Object.entries(fill)) await places.write(name, content);
    await use(places);
    await places.remove();
  },

  host: async ({ places, registered, flags }, use) => {
    const host = await Host.start(places, ...(registered ? ['--kb', places.notes] : []), ...flags);
    await use(host);
    await host.stop();
  },

  page: async ({ page, host }, use, info) => {
    const wrong: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.host !== new URL(host.origin).host) {
        wrong.push(`asked ${request.url()}`);
      }
    });
    page.on('pageerror', (error) => wrong.push(`threw ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) wrong.push(message.text());
    });
    await page.goto(host.link);
    await expect(page.getByRole('main')).toBeVisible();
    await use(page);
    // Where there is nothing but a log to look at, it tells what was on the screen.
    if (info.errors.length > 0 && !page.isClosed()) console.log(`shown when it failed:\n${await page.locator('body').ariaSnapshot()}`);
    expect(wrong).toEqual([]);
  },
});

export { expect };

/** Presses keys until what they open is there: the app may still be starting when the first press comes. */
export async function press(page: Page, keys: string, opens: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opens.isVisible())) await page.keyboard.press(keys);
    await expect(opens).toBeVisible({ timeout: 2000 });
  }).toPass();
}

/** Opens a note by its name through the quick switcher. */
export async function openNote(page: Page, name: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Go to a file or run a command' });
  await press(page, 'Control+p', field);
  await field.fill(name);
  // Until the note is known, what the list offers is to create it.
  await page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: new RegExp(`^${name}`) }).first().click();
  await expect(editor(page)).toBeVisible();
}

/** The text of the open note. */
export function editor(page: Page) {
  return page.locator('.cm-content');
}
