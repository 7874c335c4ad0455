import type { Locator, Page } from '@playwright/test';

import { holdFirst } from '../support/held';
import { cli, type Places } from '../support/host';
import { tool } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

const before = '# Glass\r\n\r\nCast iron frames.\r\n\r\nThe roof is flat.\r\n';
const after = before.replace('Cast iron', 'Timber').replace('flat', 'pitched');

test.use({ fill: { 'glass.md': before, 'old.md': '# Old\n\nNobody reads this.\n' } });

/** Proposes other words for the note, as the assistant would. */
async function propose(places: Places): Promise<void> {
  const call = (name: string, input: unknown) =>
    cli(places, 'tool', name, JSON.stringify(input), '--level', 'L2', '--session', 'e2e', '--kb', places.notes);
  await call('read', { path: 'glass.md' });
  await call('edit', {
    path: 'glass.md',
    operation: 'multi_replace',
    edits: [
      { original: 'Cast iron', next: 'Timber' },
      { original: 'flat', next: 'pitched' },
    ],
  });
}

/** Opens the proposal, and the note in a group beside it. */
async function reviewBeside(page: Page): Promise<Locator> {
  const operation = page.getByRole('checkbox', { name: /glass/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review.getByText('Timber').first()).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Go to a file or run a command' });
  await press(page, 'Control+p', field);
  await field.fill('glass');
  await expect(page.getByRole('listbox', { name: 'Matches' }).getByRole('option', { name: /glass/ }).first()).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(editor(page)).toContainText('Cast iron frames.');
  return review;
}

async function applyAll(page: Page, review: Locator): Promise<void> {
  await review.focus();
  await page.keyboard.press('x');
  await expect(review.getByText('Accepted').first()).toBeVisible();
  await page.keyboard.press('Control+Enter');
}

test('a note that is open beside the review shows what is applied', async ({ page, places }) => {
  await propose(places);
  const review = await reviewBeside(page);
  await applyAll(page, review);
  await expect(editor(page)).toContainText('Timber frames.');
  await expect(editor(page)).toContainText('The roof is pitched.');
  expect(await places.text('glass.md')).toBe(after);
});

test('what is applied under unsaved text is a conflict, and both texts are kept', async ({ page, places }) => {
  await propose(places);
  const review = await reviewBeside(page);
  // A save that is slow: the text is not on the disk when the change is applied.
  let save = () => {};
  const applied = new Promise<void>((resolve) => (save = resolve));
  await page.route('**/rpc/note.save', async (route) => {
    await applied;
    await route.continue();
  });
  await editor(page).getByText('The roof is flat.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Mine.');
  await applyAll(page, review);
  await expect.poll(() => places.text('glass.md')).toBe(after);
  save();
  await expect(page.getByText('This note changed on disk')).toBeVisible();
  await expect(editor(page)).toContainText('The roof is flat. Mine.');
  expect(await places.text('glass.md')).toBe(after);
});

test('a proposal is reviewed by keyboard, applied, and taken back', async ({ page, places }) => {
  await propose(places);
  expect(await places.text('glass.md')).toBe(before);
  await openNote(page, 'glass');

  const operation = page.getByRole('checkbox', { name: /glass/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review.getByText('Timber').first()).toBeVisible();
  await review.focus();
  await page.keyboard.press('x');
  await expect(review.getByText('Accepted').first()).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => places.text('glass.md')).toBe(after);

  // A hunk's own Undo, of its decision, stands there until the page knows what was applied.
  await page.getByRole('button', { name: 'Undo all' }).first().click();
  await expect.poll(() => places.text('glass.md')).toBe(before);
  await openNote(page, 'glass');
  await expect(editor(page)).toContainText('Cast iron frames.');
});

test('what is to be deleted is shown, and what changed under a proposal is told', async ({ page, places }) => {
  await propose(places);
  await tool(places, 'edit', { path: 'old.md', operation: 'delete' });
  const review = page.getByRole('region', { name: 'Review of the change' });
  const edit = page.getByRole('checkbox', { name: /^glass/ });
  await press(page, 'Control+Shift+Y', edit);
  await page.getByRole('checkbox', { name: /^old/ }).click();
  await expect(review.getByRole('region', { name: 'What goes with it' })).toContainText('Nobody reads this.');
  await edit.click();
  await expect(review.getByText('Timber').first()).toBeVisible();
  const told = review.getByText('The file changed after this was proposed.');
  await expect(told).toBeHidden();
  await places.write('glass.md', `${before}\r\nThe floor is stone.\r\n`);
  await expect(told).toBeVisible();
});

test('a deletion whose file changed meanwhile is given up, or proposed for what is there now', async ({ page, places }) => {
  await tool(places, 'edit', { path: 'old.md', operation: 'delete' });
  const review = page.getByRole('region', { name: 'Review of the change' });
  const operation = page.getByRole('checkbox', { name: /^old/ }).first();
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  await expect(review.getByText('Nobody reads this.')).toBeVisible();
  await review.focus();
  await page.keyboard.press('x');
  await expect(operation).toBeChecked();
  await places.write('old.md', '# Old\n\nSomebody reads this after all.\n');
  await expect(review.getByText('Somebody reads this after all.')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(review.getByRole('button', { name: /Keep mine/ })).toBeVisible();
  await review.focus();
  await page.keyboard.press('3');
  await expect(review.getByRole('button', { name: /^Accept/ })).toBeVisible();
  await expect(review.getByText('Somebody reads this after all.')).toBeVisible();
  await expect.poll(() => places.text('old.md')).toContain('Somebody');
  await expect(page.getByRole('checkbox', { name: /another proposal stands for it/ })).toBeVisible();
});

test('the list of changes takes the focus when it is opened, however late what it holds comes', async ({ page, places }) => {
  await propose(places);
  await page.reload();
  await openNote(page, 'glass');
  const answer = await holdFirst(page, 'change.get');
  const listed = page.waitForResponse('**/rpc/change.list');
  await page.keyboard.press('Control+Shift+Y');
  await listed;
  // It could be drawn by now.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  answer();
  await expect(page.getByRole('checkbox', { name: /^glass/ })).toBeFocused();
});
