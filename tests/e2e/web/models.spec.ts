import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/test';

/** A service that lists its models to whoever has the key. */
async function service() {
  const server = createServer((request, response) => {
    const known = request.headers['x-api-key'] === 'sk-right' && request.url?.startsWith('/v1/models') === true;
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
    const models = [{ id: 'tall', max_input_tokens: 200_000 }, { id: 'small' }];
    response.end(JSON.stringify(known ? { data: models } : { error: { message: 'invalid x-api-key' } }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('a model is chosen from what its service offers, before anything is saved', async ({ page }) => {
  const { address, close } = await service();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('navigation').getByText('Models').click();
  await page.getByRole('button', { name: 'Add model' }).click();

  await page.getByRole('combobox', { name: 'Service' }).selectOption('Anthropic');
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue('https://api.anthropic.com/v1');
  await page.getByRole('combobox', { name: 'Service' }).selectOption('Another service');
  await page.getByRole('combobox', { name: 'Protocol' }).selectOption('Anthropic');
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  await page.getByLabel('Key, if it needs one').fill('sk-wrong');
  await model.focus();
  await expect(page.getByText('The model’s server refused the key: invalid x-api-key')).toBeVisible();
  await expect(page.getByLabel('Key, if it needs one')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Key, if it needs one').fill('sk-right');
  await model.focus();
  await expect(page.getByText('2 models offered')).toBeVisible();
  await model.fill('tall');
  await model.blur();
  await expect(page.getByRole('textbox', { name: 'Context length' })).toHaveValue('200000');
  await page.getByText('For this run only').click();
  await page.locator('form').getByRole('button', { name: 'Add model' }).click();

  const card = page.getByRole('region', { name: 'tall' });
  await card.getByRole('button', { name: 'Test' }).click();
  await expect(card.getByText('Answers')).toBeVisible();
  close();
});
