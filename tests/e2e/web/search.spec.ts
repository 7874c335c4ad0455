import { editor, expect, press, test } from '../support/test';

test.use({
  fill: {
    '温室/玻璃.md': `# 玻璃\n\n${'一行。\n\n'.repeat(120)}## 铸铁\n\n铸铁窗框比木窗框更纤细，使用Rust写的程序也会生锈。\n`,
    'daylight.md': '# Daylight\n\nThe façade faces south.\n',
    'other.txt': 'nothing of the kind\n',
  },
});

test('Chinese, mixed and accented words lead to the passage', async ({ page }) => {
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await press(page, 'Control+Shift+F', field);
  const results = page.getByRole('listbox', { name: 'Results' });

  await field.fill('facade');
  await expect(results).toContainText('façade');
  await field.fill('使用Rust写');
  await expect(results).toContainText('使用Rust写');
  await field.fill('铸铁窗框');
  await expect(results.getByRole('option').first()).toContainText('玻璃');
  await expect(results).not.toContainText('Daylight');

  await results.getByRole('option').filter({ hasText: '铸铁窗框' }).first().click();
  await expect(editor(page).getByText('铸铁窗框比木窗框更纤细')).toBeInViewport();
});

test('what is written now is found a moment later', async ({ page, places }) => {
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await press(page, 'Control+Shift+F', field);
  await field.fill('orangery');
  await expect(page.getByText('Nothing found for “orangery”')).toBeVisible();
  await places.write('new.md', 'An orangery in winter.\n');
  await expect(page.getByRole('listbox', { name: 'Results' })).toContainText('orangery');
});
