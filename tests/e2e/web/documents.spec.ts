import type { Page } from '@playwright/test';

import { pdf } from '../support/files';
import { expect, press, test } from '../support/test';

const paragraphs = Array.from({ length: 400 }, (_, index) => `<p>Paragraph ${index + 1} tells of ${index % 100 === 50 ? 'the Skylight' : 'walls'}.</p>`);

test.use({
  fill: {
    'page.html': `<html><head><title>Daylight page</title></head><body>${paragraphs.join('')}</body></html>`,
    'rooms.csv': `Room,Remark\n${Array.from({ length: 300 }, (_, index) => `Room ${index + 1},${index === 200 ? 'a skylight' : 'walls'}\n`).join('')}`,
    'plan.pdf': pdf('The skylight of the reading room'),
    // Two cells of one row match, and the last row is wider than the first ones.
    'Studio/areas.csv': `Room,Area,Remark\n${'Hall,12,plain\n'.repeat(600)}Roof light,40,a roof of glass that is much wider than anything above\n`,
    // 「建筑」 and 「玻璃」 in Big5.
    'big5.csv': Buffer.from('abd8bf762cacc1bcfe0a312c320a', 'hex'),
  },
});

async function open(page: Page, name: string, shown: string | RegExp): Promise<void> {
  await page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole('region', { name: shown })).toBeVisible();
}

const bar = (page: Page) => page.getByRole('search', { name: 'Find' });

async function find(page: Page, words: string): Promise<void> {
  await press(page, 'Control+f', bar(page));
  await page.keyboard.type(words);
}

test('a text is searched from the reading view, and the focus comes back', async ({ page }) => {
  await open(page, 'page', 'page.html');
  const text = page.getByRole('document', { name: 'page.html, text' });
  await expect(text.getByText('Paragraph 1 tells')).toBeVisible();
  await text.focus();
  await find(page, 'skylight');
  await expect(bar(page)).toContainText('1 / 4');
  await expect(text.getByText('Paragraph 51 tells')).toBeInViewport();
  await page.keyboard.press('Shift+Enter');
  await expect(bar(page)).toContainText('4 / 4');
  await expect(text.getByText('Paragraph 351 tells')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
  await expect(text).toBeFocused();
});

test('a document is called by its file, and what it calls itself stands beside that', async ({ page }) => {
  await open(page, 'page', 'page.html');
  const tab = page.getByRole('tab', { name: 'page.html' });
  await expect(tab).toHaveAttribute('title', 'page.html\nDaylight page');
  await expect(page).toHaveTitle(/^page\.html/);

  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await press(page, 'Control+Shift+f', field);
  await field.fill('daylight page');
  const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option').first();
  await expect(found).toContainText('page.html');
  await expect(found.locator('mark').first()).toHaveText('Daylight');
});

test('a table is searched, and the row is shown', async ({ page }) => {
  await open(page, 'rooms', /^rooms/);
  const grid = page.getByRole('grid');
  await grid.focus();
  await find(page, 'skylight');
  await expect(bar(page)).toContainText('1 / 1');
  await expect(grid.getByText('a skylight')).toBeInViewport();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('cellar');
  await expect(bar(page)).toContainText('No match');
});

test('pages are searched, by the button too, and what is found is marked on them', async ({ page }) => {
  await open(page, 'plan', /^plan/);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(bar(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('reading room');
  await expect(bar(page)).toContainText('1 / 1');
  await expect(page.locator('.found.here').first()).toBeInViewport();
});

test('in a table the match that one is at is told from the others', async ({ page }) => {
  await page.getByRole('treeitem', { name: /^Studio/ }).click();
  await open(page, 'areas', /^areas/);
  const grid = page.getByRole('grid');
  await grid.focus();
  await find(page, 'roof');
  await expect(bar(page)).toContainText('1 / 2');
  const here = grid.locator('.cell.here');
  await expect(here).toHaveText('Roof light');
  await page.keyboard.press('F8');
  await expect(bar(page)).toContainText('2 / 2');
  await expect(here).toHaveText(/^a roof of glass/);
  await expect(grid.locator('.cell.found')).toHaveCount(2);
});

test('columns are as wide as what stands further down, and stay so', async ({ page }) => {
  await page.getByRole('treeitem', { name: /^Studio/ }).click();
  await open(page, 'areas', /^areas/);
  const remark = page.getByRole('grid').getByRole('gridcell', { name: 'Remark', exact: true });
  await expect.poll(async () => (await remark.boundingBox())?.width).toBe(320);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+End');
  await expect(page.getByRole('grid').getByText('a roof of glass')).toBeInViewport();
  expect((await remark.boundingBox())?.width).toBe(320);
});

test('the encoding of a table is chosen where it was guessed wrongly', async ({ page, places }) => {
  const bytes = await places.read('big5.csv');
  await open(page, 'big5', /^big5/);
  const cell = page.getByRole('grid').getByText('建築', { exact: true });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Encoding…' }).click();
  await page.getByRole('combobox', { name: 'Encoding' }).first().selectOption('Big5');
  await page.getByRole('button', { name: 'Use this encoding' }).first().click();
  await expect(cell).toBeVisible();
  await page.reload();
  await expect(cell).toBeVisible();
  expect((await places.read('big5.csv')).equals(bytes)).toBe(true);
});

test('a document that is opened is shown in the tree', async ({ page }) => {
  const field = page.getByRole('combobox', { name: 'Go to a file or run a command' });
  await press(page, 'Control+p', field);
  await field.fill('areas');
  await page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: /^areas/ }).first().click();
  await expect(page.getByRole('treeitem', { name: /^areas/, selected: true })).toBeVisible();
});
