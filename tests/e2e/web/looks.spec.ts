import { join } from 'node:path';
import type { Page } from '@playwright/test';

import { holdFirst } from '../support/held';
import { expect, openNote, press, test } from '../support/test';

test.use({ registered: false });

/** Waits until the host has taken a setting. */
function told(page: Page, value: string): Promise<unknown> {
  return page.waitForResponse(async (response) => response.url().endsWith('/rpc/setting.set') && (await response.text()).includes(value));
}

test('theme and language are switched and remembered', async ({ page }) => {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.locator('.cm-content')).toBeVisible();
  const html = page.locator('html');
  const run = async (command: string) => {
    const field = page.getByRole('combobox', { name: 'Go to a file or run a command' });
    await press(page, 'Control+Shift+P', field);
    await field.fill(`>${command}`);
    await page.keyboard.press('Enter');
  };
  await run('Dark theme');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await run('Light theme');
  await expect(html).toHaveAttribute('data-theme', 'light');

  await page.keyboard.press('Control+,');
  // The interface follows at once; a page that is left before the host was told would not be remembered.
  const kept = told(page, 'zh-CN');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文');
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByRole('combobox', { name: '语言' })).toBeVisible();
  await kept;
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByRole('combobox', { name: '语言' })).toBeVisible();
});

test('settings that are changed one after the other are all kept, however long each is on its way', async ({ page }) => {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.locator('.cm-content')).toBeVisible();
  await page.keyboard.press('Control+,');
  const language = page.getByRole('combobox', { name: 'Language' });
  await expect(language).toBeVisible();
  const pass = await holdFirst(page, 'setting.set');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await language.selectOption('简体中文');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  const kept = told(page, 'zh-CN');
  pass();
  await kept;
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test('the picture of the README', async ({ page }, info) => {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await openNote(page, 'Start here');
  await page.keyboard.press('Control+j');
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await composer.fill('What does Undo take back?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Reviewing changes.*line/ }).first()).toBeVisible();
  const path = join(info.project.outputDir, 'screenshot.png');
  await page.screenshot({ path });
  await info.attach('screenshot', { path, contentType: 'image/png' });
});
