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
