import { cli } from '../support/host';
import { editor, expect, openNote, press, test } from '../support/test';

const before = '# Glass\r\n\r\nCast iron frames.\r\n\r\nThe roof is flat.\r\n';

test.use({ fill: { 'glass.md': before } });

test('a proposal is reviewed by keyboard, applied, and taken back', async ({ page, places }) => {
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
  expect(await places.text('glass.md')).toBe(before);
  await openNote(page, 'glass');

  const operation = page.getByRole('option', { name: /glass/ });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  const review = page.getByRole('region', { name: 'Review of the change' });
  await expect(review.getByText('Timber').first()).toBeVisible();
  await review.focus();
  await page.keyboard.press('x');
  await expect(review.getByText('Accepted').first()).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => places.text('glass.md')).toBe(before.replace('Cast iron', 'Timber').replace('flat', 'pitched'));

  await page.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(() => places.text('glass.md')).toBe(before);
  await openNote(page, 'glass');
  await expect(editor(page)).toContainText('Cast iron frames.');
});
