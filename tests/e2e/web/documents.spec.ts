import type { Page } from '@playwright/test';

import { expect, press, test } from '../support/test';

/** One page with a line of text; readers of PDF find its parts without a table of them. */
function pdf(text: string): string {
  const content = `BT /F1 14 Tf 60 700 Td (${text}) Tj ET`;
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = parts.map((part, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${part}\nendobj\n`;
    return at;
  });
  const table = file.length;
  file += `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  return `${file}trailer << /Size ${parts.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
}

const paragraphs = Array.from({ length: 400 }, (_, index) => `<p>Paragraph ${index + 1} tells of ${index % 100 === 50 ? 'the Skylight' : 'walls'}.</p>`);

test.use({
  fill: {
    'page.html': `<html><head><title>Daylight page</title></head><body>${paragraphs.join('')}</body></html>`,
    'rooms.csv': `Room,Remark\n${Array.from({ length: 300 }, (_, index) => `Room ${index + 1},${index === 200 ? 'a skylight' : 'walls'}\n`).join('')}`,
    'plan.pdf': pdf('The skylight of the reading room'),
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
  await open(page, 'page', 'Daylight page');
  const text = page.getByRole('document', { name: 'Daylight page, text' });
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
