import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

import type { Places } from '../support/host';
import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

test.use({
  fill: {
    'Projects/Brief.md': '# Brief\n\nThe words of it.\n',
    'Projects/.hidden': 'x',
    'Archive/Old.md': '# Old\n',
    'index.md': 'See [[Brief]].\n',
  },
});

const there = (places: Places, name: string) =>
  access(join(places.notes, name)).then(
    () => true,
    () => false,
  );
const row = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });
const tree = (page: Page) => page.getByRole('tree', { name: 'Files' });

test('a note is renamed with the links to it, its tab follows, and both are taken back', async ({ page, places }) => {
  await openNote(page, 'Brief');
  await press(page, 'Control+Shift+E', row(page, 'Brief'));
  await row(page, 'Brief').click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'New name of Brief' });
  await field.fill('Outline');
  await page.keyboard.press('Enter');
  const ask = page.getByRole('dialog', { name: 'Rename Brief to Outline?' });
  await expect(ask).toContainText('1 note elsewhere links here.');
  await page.keyboard.press('Enter');
  await expect.poll(() => there(places, 'Projects/Outline.md')).toBe(true);
  await expect.poll(() => places.text('index.md')).toBe('See [[Outline]].\n');
  await expect(page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab', { name: /Outline/ })).toBeVisible();
  await expect(editor(page)).toContainText('The words of it.');
  await page.getByRole('group', { name: 'Renamed to Outline.' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => there(places, 'Projects/Brief.md')).toBe(true);
  await expect.poll(() => places.text('index.md')).toBe('See [[Brief]].\n');
  await expect(page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab', { name: /Brief/ })).toBeVisible();
});

test('a folder goes to the trash after it is said what it holds, and comes back', async ({ page, places }) => {
  await press(page, 'Control+Shift+E', row(page, 'Projects'));
  await row(page, 'Projects').click();
  await page.keyboard.press('Delete');
  const ask = page.getByRole('dialog', { name: 'Move Projects to the trash?' });
  await expect(ask).toContainText('2 files');
  await expect(ask).toContainText('1 of them is hidden.');
  await expect(ask).toContainText('1 note elsewhere links here');
  await page.keyboard.press('Escape');
  await expect(ask).toBeHidden();
  await expect(tree(page)).toBeFocused();
  expect(await there(places, 'Projects/Brief.md')).toBe(true);
  await page.keyboard.press('Delete');
  await ask.getByRole('button', { name: 'Move to trash' }).click();
  await expect.poll(() => there(places, 'Projects')).toBe(false);
  await page.getByRole('group', { name: 'Projects is in the trash.' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => there(places, 'Projects/Brief.md')).toBe(true);
  expect(await there(places, 'Projects/.hidden')).toBe(true);
});

test('a note moves by dragging, and by choosing a folder', async ({ page, places }) => {
  await press(page, 'Control+Shift+E', row(page, 'Archive'));
  await row(page, 'Archive').click();
  await expect(row(page, 'Old')).toBeVisible();
  const from = await row(page, 'Old').boundingBox();
  const to = await row(page, 'Projects').boundingBox();
  if (from === null || to === null) throw new Error('both rows are shown');
  await page.mouse.move(from.x + 40, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 50, from.y + 20, { steps: 4 });
  await page.mouse.move(to.x + 40, to.y + 10, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => there(places, 'Projects/Old.md')).toBe(true);
  // Both folders are listed anew, one after the other.
  await expect(row(page, 'Old')).toHaveCount(1);
  await row(page, 'Old').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  const chooser = page.getByRole('dialog', { name: 'Move Old.md to…' });
  await chooser.getByRole('option', { name: 'Archive' }).click();
  await chooser.getByRole('button', { name: 'Move here' }).click();
  await expect.poll(() => there(places, 'Archive/Old.md')).toBe(true);
});

test('a note that is renamed outside stays open where it went', async ({ page, places }) => {
  await openNote(page, 'Brief');
  await expect(page.getByRole('contentinfo')).toContainText('Indexed, up to date');
  await rename(join(places.notes, 'Projects/Brief.md'), join(places.notes, 'Projects/Outline.md'));
  const tab = page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
  await expect(tab.locator('[title="Projects/Outline.md"]')).toBeVisible();
  await expect(editor(page)).toContainText('The words of it.');
  await editor(page).getByText('The words of it.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  await expect.poll(() => places.text('Projects/Outline.md')).toContain('The words of it. More.');
  expect(await there(places, 'Projects/Brief.md')).toBe(false);
});

test('a file that a change waits for is marked, and its review opens from there', async ({ page, places }) => {
  await propose(places, 'index.md', { original: 'See', next: 'Read' });
  const marked = page.getByRole('treeitem', { name: 'index, A change waits for review' });
  await expect(marked).toBeVisible();
  await expect(row(page, 'Projects')).toBeVisible();
  await marked.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Review the change' }).click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review.getByText('Read').first()).toBeVisible();
  await review.focus();
  await page.keyboard.press('r');
  await press(page, 'Control+Shift+E', row(page, 'index'));
});
