import { holdFirst } from '../support/held';
import { editor, expect, test } from '../support/test';

test.use({ registered: false, fill: { '橙园/冬天.md': '# 冬天\n\n柑橘树在橙园里过冬。\n', 'readme.txt': 'plain\n' } });

test('from nothing to a note in a folder of one’s own', async ({ page, places }) => {
  await expect(page.getByRole('heading', { name: 'Choose a folder to begin' })).toBeVisible();
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  const path = page.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill(places.notes);
  await path.press('Enter');
  await expect(page.getByRole('option', { name: '橙园' })).toBeVisible();
  await page.getByRole('button', { name: 'Use this folder' }).click();

  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.getByRole('treeitem', { name: 'readme' })).toBeVisible();
  await expect(tree).toBeFocused();
  await tree.getByRole('treeitem', { name: '橙园' }).click();
  await tree.getByRole('treeitem', { name: '冬天' }).click();
  await expect(editor(page)).toContainText('柑橘树在橙园里过冬。');
});

test('a path that is written while the list is on its way is the one that is used', async ({ page, places }) => {
  const answer = await holdFirst(page, 'folder.browse');
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  const path = page.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill(places.notes);
  answer();
  await expect(page.getByRole('group', { name: 'Folders' })).not.toContainText('Listing');
  await expect(path).toHaveValue(places.notes);
  await page.getByRole('button', { name: 'Use this folder' }).click();
  await expect(page.getByRole('tree', { name: 'Files' }).getByRole('treeitem', { name: 'readme' })).toBeVisible();
});

test('Escape leaves the choice of a folder from wherever the keys are', async ({ page }) => {
  const choose = page.getByRole('button', { name: 'Choose folder…' });
  for (const at of ['listbox', 'textbox', 'button'] as const) {
    await choose.click();
    const chooser = page.getByRole('group', { name: 'Folders' });
    await expect(chooser).not.toContainText('Listing');
    if (at === 'listbox') await expect(chooser.getByRole('listbox')).toBeFocused();
    else await chooser.getByRole(at).first().focus();
    await page.keyboard.press('Escape');
    await expect(chooser).toBeHidden();
    await expect(choose).toBeFocused();
  }
});

test('a link that was used tells another browser so, in the words of its language', async ({ page, host, browser }) => {
  await expect(page.getByRole('heading', { name: 'Choose a folder to begin' })).toBeVisible();
  for (const [locale, title, reason] of [
    ['en-GB', 'This browser is not signed in', 'it lets one browser in, once'],
    ['zh-CN', '此浏览器尚未登录', '此链接已用过'],
  ] as const) {
    const other = await browser.newContext({ locale });
    const stranger = await other.newPage();
    await stranger.goto(host.link);
    await expect(stranger.getByRole('heading', { name: title })).toBeVisible();
    await expect(stranger.getByRole('main')).toContainText(reason);
    await expect(stranger.getByRole('contentinfo')).toContainText(title);
    await other.close();
  }
  // The browser that it let in may use it again.
  await page.goto(host.link);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Choose a folder to begin' })).toBeVisible();
});

test('a form of a model that was left is there again, until it is given up', async ({ page }) => {
  await page.getByRole('button', { name: 'Connect…' }).click();
  const settings = page.getByRole('navigation');
  await page.getByRole('button', { name: 'Add model' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await expect(page.getByRole('combobox', { name: 'Service' })).toBeFocused();
  await address.fill('https://api.example.com/v1');
  await settings.getByText('Appearance').click();
  await expect(address).toBeHidden();
  await settings.getByText('Models').click();
  await expect(address).toHaveValue('https://api.example.com/v1');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add model' }).click();
  await expect(address).toHaveValue('');
});

test('the user guide opens', async ({ page }) => {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(editor(page)).toContainText('Start here');
});

test.describe('with the guide', () => {
  test.use({ flags: ['--sample'] });

  test('its first note is open at the first start, and not again once it was closed', async ({ page }) => {
    await expect(editor(page)).toContainText('Start here');
    const tab = page.getByRole('tab', { name: 'Start here' });
    await tab.click({ button: 'middle' });
    await expect(tab).toBeHidden();
    await page.reload();
    await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Go to file' })).toBeVisible();
    await expect(tab).toBeHidden();
  });
});
