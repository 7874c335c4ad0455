import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from '@playwright/test';

import { docx, pdf } from '../support/files';
import { expect, press, test } from '../support/test';

/** Its password is `kumquat`. */
const locked = await readFile(join(import.meta.dirname, '../../../crates/extract/tests/data/locked.pdf'));

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="teal"/></svg>';

test.use({
  fill: {
    'report.pdf': pdf('The first page tells of walls', 'The second page tells of roofs', 'The third page tells of a skylight'),
    'leaves.pdf': pdf(...Array.from({ length: 40 }, (_, at) => `Leaf ${at + 1}`)),
    'letter.docx': docx('Dear gardener,', 'the orangery needs glass.'),
    'torn.docx': 'PK\x03\x04 and then nothing',
    'locked.pdf': locked,
    'plan.svg': drawing,
  },
});

const open = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();

test('a passage that was found opens its page, with its box drawn on it', async ({ page }) => {
  const field = page.getByRole('combobox', { name: 'Search' });
  await press(page, 'Control+Shift+f', field);
  await page.keyboard.type('skylight');
  const hit = page.getByRole('option', { name: /skylight/ }).first();
  await expect(hit).toContainText('p. 3');
  await hit.click();
  await expect(page.getByRole('group', { name: 'Page 3' }).locator('.cited').first()).toBeInViewport();
  await expect(page.getByRole('group', { name: 'Page 3' }).getByText('skylight')).toBeAttached();
});

test('pages are turned by the outline, by number and by key, and drawn larger', async ({ page }) => {
  await open(page, 'report');
  const pages = page.getByRole('document', { name: /^report.*pages$/ });
  await expect(pages.getByRole('group', { name: 'Page 1' }).locator('img')).toBeVisible();
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  await page.getByRole('navigation', { name: 'Outline' }).getByText('Part 3').click();
  const number = page.getByRole('textbox', { name: 'Page', exact: true });
  await expect(number).toHaveValue('3');
  await pages.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(number).toHaveValue('2');
  const width = async () => (await pages.getByRole('group', { name: 'Page 2' }).boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(width).toBeGreaterThan(before * 1.05);
  await page.getByRole('button', { name: 'Fit width' }).click();
  await expect.poll(width).toBeCloseTo(before, 0);
});

test('text is shown at the page that was read, and pages at the text that was', async ({ page }) => {
  await open(page, 'leaves');
  const number = page.getByRole('textbox', { name: 'Page', exact: true });
  await expect(number).toHaveValue('1');
  await number.fill('30');
  await number.press('Enter');
  await page.getByRole('radio', { name: 'Text' }).click();
  const text = page.getByRole('document', { name: /text$/ });
  await expect(text.getByText('Leaf 30', { exact: true })).toBeInViewport();
  await page.getByRole('radio', { name: 'Pages' }).click();
  await expect(number).toHaveValue('30');
  await page.getByRole('radio', { name: 'Text' }).click();
  await expect(text.getByText('Leaf 30', { exact: true })).toBeInViewport();
  await text.hover();
  await page.mouse.wheel(0, -100_000);
  await expect(text.getByText('Leaf 1', { exact: true })).toBeInViewport();
  await page.getByRole('radio', { name: 'Pages' }).click();
  await expect(number).toHaveValue('1');
});

test('a locked document says that a password is wrong, and opens with the right one', async ({ page }) => {
  await open(page, 'locked');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('pomelo');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('This password does not open it.')).toBeVisible();
  await password.fill('kumquat');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('group', { name: 'Page 1' })).toBeVisible();
  await expect(password).toBeHidden();
});

test('a document that cannot be read says why, and is read once it can be', async ({ page, places }) => {
  await open(page, 'torn');
  await expect(page.getByText('It is damaged')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Read again' })).toBeVisible();
  await places.write('torn.docx', docx('Mended again.'));
  await expect(page.getByRole('document', { name: /text$/ }).getByText('Mended again.')).toBeVisible();
});

test('a letter is read as text', async ({ page }) => {
  await open(page, 'letter');
  await expect(page.getByRole('document', { name: /text$/ }).getByText('the orangery needs glass.')).toBeVisible();
});

test('a picture is shown whole, and larger', async ({ page }) => {
  await open(page, 'plan');
  const picture = page.getByRole('document', { name: /image$/ }).or(page.getByLabel(/plan.*image$/));
  const image = picture.locator('img').first();
  await expect(image).toBeVisible();
  const width = async () => (await image.boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(300);
  const before = await width();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(width).toBeGreaterThan(before * 1.05);
});
