import type { Page } from '@playwright/test';

import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

test.use({
  fill: {
    'glass.md': '# Glass\n\nCast iron.\n',
    'roof.md': '# Roof\n\nThe roof is flat.\n',
  },
});

/** Keeps back the script that holds a text, and what answers a question; the answer lets both come. */
async function keepBack(page: Page, what: { script?: string; question?: string }): Promise<() => Promise<void>> {
  let open = () => {};
  const gate = new Promise<void>((done) => (open = done));
  if (what.script !== undefined) {
    const { script } = what;
    await page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes(script)) await gate;
      await route.fulfill({ response });
    });
  }
  if (what.question !== undefined) {
    await page.route(`**/rpc/${what.question}`, async (route) => {
      await gate;
      await route.continue();
    });
  }
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  return async () => {
    open();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

test('words typed before the search is loaded are searched for', async ({ page }) => {
  await openNote(page, 'glass');
  const come = await keepBack(page, { script: 'search-results' });
  await expect(editor(page)).toContainText('Cast iron.');
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('flat');
  await come();
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('flat');
  await page.keyboard.type(' roof');
  await expect(field).toHaveValue('flat roof');
  await expect(page.getByRole('listbox', { name: 'Results' })).toBeVisible();
  await expect(editor(page)).toBeHidden();
});

test('a question typed before the assistant is loaded is asked, and is no key of the review', async ({ page, places }) => {
  await propose(places, 'roof.md', { original: 'flat', next: 'pitched' });
  await openNote(page, 'glass');
  await page.keyboard.press('Control+Shift+L');
  const come = await keepBack(page, { script: 'data-composer' });
  const operation = page.getByRole('checkbox', { name: /^roof/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review).toBeFocused();
  await page.keyboard.press('Control+j');
  await page.keyboard.type('Eject the roof? Accept? ');
  await come();
  const composer = page.getByRole('textbox', { name: 'Ask' });
  await expect(composer).toBeFocused();
  await expect(composer).toHaveValue('Eject the roof? Accept? ');
  await expect(review.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByText('0 of 1 operation')).toBeVisible();
});

test('words typed before find is loaded go to find, and those typed before a note is read go to the note', async ({ page, places }) => {
  await openNote(page, 'glass');
  const come = await keepBack(page, { script: '[name=replace]' });
  await editor(page).click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('iron');
  await come();
  await expect(page.getByRole('textbox', { name: 'Find', exact: true })).toHaveValue('iron');
  expect(await places.text('glass.md')).toBe('# Glass\n\nCast iron.\n');

  const read = await keepBack(page, { question: 'note.open' });
  await press(page, 'Control+p', page.getByRole('dialog'));
  await page.keyboard.type('roof');
  await expect(page.getByRole('option', { name: /^roof/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Flat');
  await page.keyboard.press('Enter');
  await page.keyboard.type('and ');
  await read();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+s');
  await expect.poll(() => places.text('roof.md')).toBe('Flat\nand # Roof\n\nThe roof is flat.\n');
});

test('keys pressed before the review is loaded decide in it', async ({ page, places }) => {
  await propose(places, 'roof.md', { original: 'flat', next: 'pitched' });
  const come = await keepBack(page, { script: 'data-hunk' });
  const operation = page.getByRole('checkbox', { name: /^roof/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  await page.keyboard.press('a');
  await page.keyboard.press('Control+Enter');
  expect(await places.text('roof.md')).toContain('flat');
  await come();
  await expect.poll(() => places.text('roof.md')).toContain('pitched');
});
