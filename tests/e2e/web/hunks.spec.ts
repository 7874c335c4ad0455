import type { Page } from '@playwright/test';

import type { Places } from '../support/host';
import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

const filler = (from: number) => Array.from({ length: 12 }, (_, index) => `Line ${from + index} stays.\n`).join('');
const before = `# Glass\n\nCast iron frames.\n\n${filler(1)}\nThe roof is flat.\n\n${filler(20)}\nThe floor is stone.\n`;

test.use({ fill: { 'glass.md': before } });

const review = (page: Page) => page.getByRole('region', { name: 'Review of the change' });
const hunk = (page: Page, at: number) => review(page).locator(`[data-hunk="${at}"]`);

async function three(places: Places): Promise<void> {
  await propose(
    places,
    'glass.md',
    { original: 'Cast iron', next: 'Timber' },
    { original: 'flat', next: 'pitched' },
    { original: 'stone', next: 'brick' },
  );
}

async function open(page: Page, name: RegExp = /^glass/): Promise<void> {
  const operation = page.getByRole('option', { name });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  await expect(review(page)).toBeFocused();
}

for (const view of ['Split', 'Unified']) {
  test(`hunks are decided by keyboard in the ${view.toLowerCase()} view, applied, and taken back`, async ({ page, places }) => {
    await three(places);
    await open(page);
    await review(page).getByRole('radio', { name: view }).click();
    await review(page).focus();
    await expect(hunk(page, 0)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('a');
    await expect(hunk(page, 0)).toContainText('Accepted');
    await expect(hunk(page, 1)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('r');
    await expect(hunk(page, 1)).toContainText('stays “The roof is flat.”');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(hunk(page, 1)).not.toContainText('stays');
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('u');
    await expect(hunk(page, 2)).not.toContainText('Accepted');
    await page.keyboard.press('a');
    await expect(hunk(page, 2)).toContainText('Accepted');
    expect(await places.text('glass.md')).toBe(before);
    await expect(page.getByRole('option', { name: /^glass.*2 accepted, 1 rejected/ })).toBeVisible();
    await page.keyboard.press('Control+Enter');
    const after = before.replace('Cast iron', 'Timber').replace('stone', 'brick');
    await expect.poll(() => places.text('glass.md')).toBe(after);

    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await expect.poll(() => places.text('glass.md')).toBe(before);
    await openNote(page, 'glass');
    await expect(editor(page)).toContainText('Cast iron frames.');
  });
}

test('unchanged lines unfold between hunks', async ({ page, places }) => {
  await three(places);
  await open(page);
  await expect(review(page).getByText('Line 5 stays.')).toHaveCount(0);
  await review(page).getByRole('button', { name: /unchanged line/ }).first().click();
  await expect(review(page).getByText('Line 5 stays.').first()).toBeVisible();
});

test('everything that waits is rejected after a question, and can be had back', async ({ page, places }) => {
  await three(places);
  await open(page);
  await page.keyboard.press('a');
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.getByRole('button', { name: 'Reject all…' }).click();
  await page.getByRole('button', { name: 'Reject all', exact: true }).click();
  await expect(hunk(page, 0)).toContainText('Rejected');
  await page.getByRole('group', { name: /rejected/ }).getByRole('button', { name: 'Undo' }).click();
  await expect(hunk(page, 0)).toContainText('Accepted');
  await expect(hunk(page, 1)).toContainText('Reject');
  await expect(hunk(page, 1)).not.toContainText('Rejected');
});
