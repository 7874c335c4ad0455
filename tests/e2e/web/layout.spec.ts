import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

const words = 'light glass roof desk room library frame shade orange stone '.repeat(6);

test.use({
  fill: {
    'a.md': '# A\n\nLine one.\n',
    'b.md': '# B\n\nLine one.\n',
    'c.md': '# C\n\nLine one.\n',
    'Studio/Riverside Library/会议纪要 2026-11-18.md': `# 会议纪要\n\n${words} daylight ${words}\n`,
  },
});

const box = async (locator: Locator) => {
  const found = await locator.boundingBox();
  if (found === null) throw new Error('it is not on the page');
  return found;
};

async function search(page: Page, text: string): Promise<Locator> {
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await press(page, 'Control+Shift+F', field);
  await field.fill(text);
  return field;
}

test('a row of the changes that gets taller moves those below it', async ({ page, places }) => {
  for (const name of ['a', 'b', 'c']) await propose(places, `${name}.md`, { original: 'Line one.', next: 'Line 1.' });
  const rows = page.getByRole('list', { name: 'Operations of the change set' }).getByRole('checkbox');
  await press(page, 'Control+Shift+Y', rows.first());
  await rows.nth(1).click();
  await page.keyboard.press('x');
  await expect(page.getByText('1 of 3 operations ready')).toBeVisible();
  await places.write('b.md', '# B\n\nLine uno.\n');
  await page.keyboard.press('Control+Enter');
  await expect(rows.nth(1)).toContainText('Conflict');
  await expect(async () => {
    const [second, third] = [await box(rows.nth(1)), await box(rows.nth(2))];
    expect(third.y).toBeGreaterThanOrEqual(second.y + second.height);
  }).toPass();
});

test('files and changes are a key away while the search is in front', async ({ page }) => {
  await search(page, 'daylight');
  await expect(page.getByRole('tree', { name: 'Files' })).toBeHidden();
  await page.keyboard.press('Control+Shift+E');
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible();
  await page.keyboard.press('Control+Shift+Y');
  await expect(page.getByText('No changes waiting.')).toBeVisible();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible();
});

test('in a narrow group the hit is in sight, and so is the active tab', async ({ page }) => {
  await openNote(page, 'a');
  await openNote(page, '会议纪要');
  await page.keyboard.press('Control+Shift+2');
  const groups = page.getByRole('tablist', { name: 'Open tabs' });
  await expect(groups).toHaveCount(2);
  await press(page, 'Control+p', page.getByRole('dialog'));
  await page.keyboard.type('c.md');
  await page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: /^c/ }).first().click();
  await search(page, 'daylight');
  const results = page.getByRole('listbox', { name: 'Results' });
  const hit = results.locator('mark', { hasText: 'daylight' });
  await expect(hit).toBeVisible();
  const [mark, list] = [await box(hit), await box(results)];
  expect(mark.x + mark.width).toBeLessThan(list.x + list.width - 16);

  for (const group of [groups.first(), groups.last()]) {
    const [strip, tab] = [await box(group), await box(group.getByRole('tab', { selected: true }))];
    expect(tab.x + 1).toBeGreaterThanOrEqual(strip.x);
    expect(tab.x + tab.width).toBeLessThanOrEqual(strip.x + strip.width + 1);
  }
});

test('the drawer of a narrow window reaches down to the status bar', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  const pane = page.getByRole('complementary', { name: 'Library' });
  await expect(pane).toBeHidden();
  await press(page, 'Control+\\', pane);
  const status = await box(page.getByRole('contentinfo', { name: 'Status' }));
  await expect.poll(async () => Math.round((await box(pane)).y + (await box(pane)).height)).toBe(Math.round(status.y));
});

test('two versions are compared in a bar in which nothing lies over anything else', async ({ page }) => {
  await openNote(page, 'a');
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('More.');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Versions' }).first().click();
  const older = page.getByRole('combobox', { name: 'Older content' });
  await expect(older).toBeVisible();
  const parts = [older, page.getByText('compared with'), page.getByRole('combobox', { name: 'Newer content' }), page.getByRole('radiogroup', { name: 'What is shown' })];
  const places = await Promise.all(parts.map(box));
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    if (next !== undefined) expect(place.x + place.width).toBeLessThanOrEqual(next.x + 1);
  }
});

test('a note of a folder that was away opens when the folder is back', async ({ page, places }) => {
  await openNote(page, 'a');
  await page.route('**/rpc/note.open', (route) =>
    route.fulfill({ status: 503, json: { kind: 'unavailable', code: 'offline', message: 'the folder is not there', detail: {} } }),
  );
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Go to a file or run a command' }).fill('b.md');
  await page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: /^b/ }).first().click();
  const failed = page.getByRole('heading', { name: 'This note could not be opened.' });
  await expect(failed).toBeVisible();
  expect((await box(failed)).x - (await box(page.getByRole('main'))).x).toBeGreaterThan(24);
  await page.unroute('**/rpc/note.open');
  await writeFile(join(places.notes, 'd.md'), '# D\n');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(editor(page)).toContainText('Line one.');
});

test.describe('a long note', () => {
  const lines = Array.from({ length: 400 }, (_, n) => `Paragraph ${n + 1}.`);
  test.use({ fill: { 'long.md': `# Long\n\n${lines.join('\n\n')}\n`, 'other.md': '# Other\n' } });

  /** The paragraph at the upper edge of what scrolls. */
  const first = (scroller: Locator, blocks: string) =>
    scroller.evaluate((element, selector) => {
      const edge = element.getBoundingClientRect().top + 8;
      const shown = [...element.querySelectorAll(selector)].find((block) => block.getBoundingClientRect().bottom > edge && block.textContent !== '');
      return Number(/\d+/.exec(shown?.textContent ?? '')?.[0] ?? 0);
    }, blocks);

  test('stays where it was read when it is written, and the other way round, and when another tab was in front', async ({ page }) => {
    await openNote(page, 'long');
    const writing = page.locator('.cm-scroller');
    const reading = page.getByRole('document', { name: /reading view/ });
    await writing.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await expect.poll(() => first(writing, '.cm-line')).toBeGreaterThan(100);
    const written = await first(writing, '.cm-line');
    await openNote(page, 'other');
    await page.getByRole('tab', { name: 'Long' }).click();
    await expect.poll(async () => Math.abs((await first(writing, '.cm-line')) - written)).toBeLessThanOrEqual(2);
    await page.keyboard.press('Control+e');
    await expect.poll(async () => Math.abs((await first(reading, 'p')) - written)).toBeLessThanOrEqual(2);
    await reading.evaluate((element) => (element.scrollTop /= 2));
    await expect.poll(() => first(reading, 'p')).toBeLessThan(written - 20);
    const read = await first(reading, 'p');
    await page.keyboard.press('Control+e');
    await expect.poll(async () => Math.abs((await first(writing, '.cm-line')) - read)).toBeLessThanOrEqual(2);
  });
});

test('in a small window beside a note, all that a review offers is in sight', async ({ page, places }) => {
  await propose(places, 'a.md', { original: 'Line one.', next: 'Line 1.' });
  await page.setViewportSize({ width: 1000, height: 700 });
  await openNote(page, 'b');
  await page.keyboard.press('Control+Shift+2');
  await expect(page.getByRole('tablist', { name: 'Open tabs' })).toHaveCount(2);
  const operation = page.getByRole('checkbox', { name: /^a/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review.getByRole('button', { name: /^Accept/ })).toBeVisible();
  // What is offered may still change while it is looked at.
  const seen = () =>
    expect(async () => {
      for (const control of await review.getByRole('button').or(review.getByRole('radio')).all()) {
        await expect(control).toBeInViewport({ ratio: 1, timeout: 1_000 });
      }
    }).toPass();
  await seen();
  await places.write('a.md', '# A\n\nLine uno.\n');
  await page.keyboard.press('x');
  await page.keyboard.press('Control+Enter');
  await expect(review.getByRole('radio', { name: /^Edit by hand/ })).toBeVisible();
  await seen();
});
