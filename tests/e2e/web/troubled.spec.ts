import { docx } from '../support/files';
import { expect, test } from '../support/test';

test.use({
  fill: {
    'letters/broken.docx': 'PK\x03\x04 and then nothing of use',
    'letters/whole.docx': docx('The heron nests here.'),
    'empty.html': '',
    'note.md': '# Note\n',
  },
});

test('files that could not be read are listed with why, and tried again', async ({ page, places }) => {
  const pane = page.getByRole('tabpanel', { name: 'Files' });
  await pane.getByRole('button', { name: /2 files could not be read/ }).click();
  const list = pane.getByRole('listbox', { name: 'Could not be read' });
  await expect(list).toBeFocused();
  await expect(list.getByRole('option')).toHaveCount(2);
  await expect(list.getByRole('option', { name: /^empty\.html/ })).toContainText('It is empty');
  const broken = list.getByRole('option', { name: /^broken\.docx/ });
  await expect(broken).toContainText('It is damaged');

  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'broken.docx' })).toContainText('It is damaged');
  await list.focus();
  await broken.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show in the tree' }).click();
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree).toBeFocused();
  await expect(tree.getByRole('treeitem', { name: /^broken/ })).toBeVisible();

  await pane.getByRole('button', { name: /2 files could not be read/ }).click();
  await places.write('letters/broken.docx', docx('The stork nests there.'));
  await pane.getByRole('button', { name: 'Try all again' }).click();
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(list.getByRole('option')).toContainText('empty.html');
  await list.focus();
  await page.keyboard.press('Escape');
  await expect(tree).toBeFocused();
  await expect(pane.getByRole('button', { name: /1 file could not be read/ })).toBeVisible();
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('the reasons are in its words', async ({ page }) => {
    await page.getByRole('button', { name: /2 个文件无法读取/ }).click();
    const list = page.getByRole('listbox', { name: '无法读取的文件' });
    await expect(list.getByRole('option', { name: /^empty\.html/ })).toContainText('这是空文件');
    await expect(list.getByRole('option', { name: /^broken\.docx/ })).toContainText('文件已损坏');
  });
});
