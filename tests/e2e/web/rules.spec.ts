import { expect, press, test } from '../support/test';

const RULES = '.orange/permissions.yaml';

test.use({ fill: { 'a.md': '# A\n\nThe heron nests here.\n', [RULES]: 'deny: [exce]\n' } });

test('rules that cannot be understood are named until they are mended', async ({ page, places }) => {
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  const banner = page.getByRole('status').filter({ hasText: 'These rules cannot be understood' });
  await expect(banner).toContainText(`${RULES}: line 1`);

  // The next question reads them anew.
  await places.write(RULES, 'deny: [exec]\n');
  await composer.fill('Where does the heron nest?');
  await page.keyboard.press('Enter');
  await expect(banner).toHaveCount(0);
});
