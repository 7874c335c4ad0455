import { editor, expect, openNote, test } from '../support/test';

test.use({
  fill: {
    'a.md': '# A\n\nOf #glass and #glass/roof and #glazing.\n',
    'b.md': '# B\n\n#glass again.\n',
    'new.md': 'Start.\n',
  },
});

const offers = (page: import('@playwright/test').Page) => page.locator('.cm-tooltip-autocomplete');

test('tags complete after their sign, and a new one stays as it is written', async ({ page, places }) => {
  await openNote(page, 'new');
  await editor(page).getByText('Start.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' #');
  await expect(offers(page).getByRole('option').first()).toContainText('glass');
  await page.keyboard.type('gl');
  await expect(offers(page).getByRole('option')).toHaveText([/^gl$/, /^glass2$/, /^glass\/roof1$/, /^glazing1$/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' #gla');
  await expect(offers(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  // A heading is no tag, and in code nothing is.
  await page.keyboard.type('# Head');
  await expect(offers(page)).toBeHidden();
  await page.keyboard.press('Control+s');
  await expect.poll(() => places.text('new.md')).toBe('Start. #glass #gla\n# Head\n');
});

test('blocks are begun after a slash at the start of a line, and nowhere else', async ({ page, places }) => {
  await openNote(page, 'new');
  await editor(page).getByText('Start.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and / or');
  await expect(offers(page)).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.type('/');
  await expect(offers(page).getByRole('option').first()).toContainText('Heading 1');
  await page.keyboard.type('task');
  await expect(offers(page).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await page.keyboard.type('measure');
  await page.keyboard.press('Control+s');
  await expect.poll(() => places.text('new.md')).toBe('Start. and / or\n- [ ] measure\n');
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('blocks have its names, and are found by them', async ({ page }) => {
    const field = page.getByRole('combobox');
    await expect(async () => {
      if (!(await field.isVisible())) await page.keyboard.press('Control+p');
      await expect(field).toBeVisible({ timeout: 2000 });
    }).toPass();
    await field.fill('new');
    await page.getByRole('option', { name: /^new/ }).first().click();
    await editor(page).getByText('Start.').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/');
    await expect(offers(page).getByRole('option').first()).toContainText('一级标题');
    await page.keyboard.insertText('表');
    await expect(offers(page).getByRole('option')).toHaveText([/无序列表/, /有序列表/, /表格/]);
  });
});
