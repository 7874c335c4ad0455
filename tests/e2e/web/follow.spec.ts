import type { Page } from '@playwright/test';

import { tool } from '../support/proposals';
import { expect, press, test } from '../support/test';

const before = '# Glass\n\nCast iron frames.\n';

test.use({ fill: { 'glass.md': before, 'a.md': 'See [[glass]].\n', 'b.md': 'Also [[glass]].\n' } });

const review = (page: Page) => page.getByRole('region', { name: 'Review of the change' });

test('a rename waits with the links that follow it, and each can be left out', async ({ page, places }) => {
  // The links are known once all three notes are indexed.
  await expect(page.getByRole('contentinfo')).toContainText('Indexed, up to date');
  await tool(places, 'edit', { path: 'glass.md', operation: 'rename', destination: 'glazing.md' });
  const rename = page.getByRole('checkbox', { name: /^glass, Rename to glazing/ });
  await press(page, 'Control+Shift+Y', rename);
  await rename.click();
  await expect(review(page).getByText('2 links in 2 notes will follow')).toBeVisible();
  await expect(review(page).getByText('glazing.md')).toBeVisible();

  const follows = (name: string) => review(page).getByRole('checkbox', { name: `Accept all of ${name}` });
  await review(page).focus();
  await page.keyboard.press('x');
  await expect(rename).toHaveAttribute('aria-checked', 'true');
  if ((await follows('a').getAttribute('aria-checked')) !== 'true') await follows('a').click();
  await expect(follows('a')).toHaveAttribute('aria-checked', 'true');
  if ((await follows('b').getAttribute('aria-checked')) === 'true') await follows('b').click();
  await expect(follows('b')).toHaveAttribute('aria-checked', 'false');

  await review(page).focus();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => places.text('glazing.md').catch(() => '')).toBe(before);
  await expect.poll(() => places.text('a.md')).toBe('See [[glazing]].\n');
  expect(await places.text('b.md')).toBe('Also [[glass]].\n');
});
