import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

const first = '# Glass\n\nCast iron frames.\n\nThe roof is flat.\n';

test.use({ fill: { 'glass.md': first } });

test('an earlier content is compared with now and restored, and that is taken back', async ({ page, places }) => {
  await openNote(page, 'glass');
  await propose(places, 'glass.md', { original: 'Cast iron', next: 'Timber' }, { original: 'flat', next: 'pitched' });
  const operation = page.getByRole('checkbox', { name: /^glass/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  await page.keyboard.press('x');
  await expect(page.getByRole('button', { name: /Apply 1 operation/ })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const applied = first.replace('Cast iron', 'Timber').replace('flat', 'pitched');
  await expect.poll(() => places.text('glass.md')).toBe(applied);

  await openNote(page, 'glass');
  await page.getByRole('button', { name: 'Versions' }).first().click();
  const history = page.getByRole('region', { name: 'Versions of glass' });
  await expect(page.getByRole('listbox', { name: 'Versions' }).getByRole('option')).toHaveCount(1);
  await expect(history.getByText('Timber').first()).toBeVisible();
  await history.getByRole('radio', { name: 'Whole text' }).click();
  await expect(history.getByText('Cast iron frames.')).toBeVisible();
  await history.getByRole('button', { name: 'Restore this version' }).click();
  await expect.poll(() => places.text('glass.md')).toBe(first);
  await expect(page.getByRole('listbox', { name: 'Versions' }).getByRole('option')).toHaveCount(2);
  await page.getByRole('group', { name: /^Restored/ }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => places.text('glass.md')).toBe(applied);
  await openNote(page, 'glass');
  await expect(editor(page)).toContainText('Timber frames.');
});
