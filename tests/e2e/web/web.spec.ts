import { expect, test } from '../support/test';

test('the assistant uses the web only when it is let, with an engine and a key of its own', async ({ page }) => {
  await page.keyboard.press('Control+,');
  await page.getByRole('button', { name: 'Web' }).click();
  const use = page.getByRole('switch', { name: 'Let the assistant use the web' });
  await expect(use).not.toBeChecked();
  await use.click();
  await expect(use).toBeChecked();

  const engine = page.getByRole('combobox', { name: 'Search engine' });
  await engine.selectOption('Tavily');
  await expect(page.getByText('This engine needs a key.')).toBeVisible();
  await page.getByRole('button', { name: 'Add key…' }).click();
  await page.getByLabel('Key', { exact: true }).fill('tvly-1');
  await page.getByRole('radio', { name: /For this run only/ }).check();
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('For this run only')).toBeVisible();

  // Another engine never gets that key.
  await engine.selectOption('SearXNG');
  const address = page.getByLabel('Address of the server');
  await address.fill('http://192.168.1.2:8080');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('An address must be https, or http to this machine.')).toBeVisible();
  await address.fill('https://search.example.org');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('No key')).toBeVisible();

  await page.reload();
  await expect(engine).toHaveValue('searXng');
  await expect(address).toHaveValue('https://search.example.org');
  await expect(use).toBeChecked();
});
