import type { Locator } from '@playwright/test';

import { editor, expect, press, test } from '../support/test';

test.use({
  fill: {
    '温室/玻璃.md': `# 玻璃\n\n${'一行。\n\n'.repeat(120)}## 铸铁\n\n铸铁窗框比木窗框更纤细，使用Rust写的程序也会生锈。\n\n## 附记\n\n${'另一行。\n\n'.repeat(60)}`,
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

test('the passage is tinted at a third of the height until the next action, also where it has moved', async ({ page, places }) => {
  test.slow();
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  const result = page.getByRole('listbox', { name: 'Results' }).getByRole('option').filter({ hasText: '铸铁窗框' }).first();
  const tinted = page.locator('.cm-passage');
  const text = '铸铁窗框比木窗框更纤细，使用Rust写的程序也会生锈。';
  const third = async (passage: Locator, scroller: Locator) => {
    await expect(async () => {
      const [line, view] = [await passage.boundingBox(), await scroller.boundingBox()];
      if (!line || !view) throw new Error('not on the page');
      expect(Math.abs(line.y - view.y - view.height / 3)).toBeLessThan(30);
    }).toPass();
  };
  const open = async () => {
    await press(page, 'Control+Shift+F', field);
    await field.fill('铸铁窗框');
    await result.click();
  };

  await open();
  await expect(tinted.last()).toHaveText(text);
  await expect(tinted.first()).toHaveCSS('box-shadow', /3px 0px 0px 0px inset/);
  await third(tinted.first(), page.locator('.cm-scroller'));
  await page.keyboard.press('ArrowRight');
  await expect(tinted).toHaveCount(0);

  // The results still say where it was.
  await open();
  await expect(tinted.last()).toHaveText(text);
  await places.write('温室/玻璃.md', `${'新的一行。\n\n'.repeat(40)}${await places.text('温室/玻璃.md')}`);
  await page.keyboard.press('Control+Home');
  await expect(editor(page)).toContainText('新的一行。');
  await page.keyboard.press('Control+Shift+F');
  await result.click();
  await expect(tinted.last()).toHaveText(text);
  await third(tinted.first(), page.locator('.cm-scroller'));

  await page.keyboard.press('Control+e');
  const reader = page.getByRole('document', { name: /reading view/ });
  await expect(reader).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
  await result.click();
  const passage = reader.locator('.passage');
  await expect(passage.last()).toHaveText(text);
  await third(passage.first(), reader);
  await page.keyboard.press('ArrowDown');
  await expect(passage).toHaveCount(0);
});

test('what is written now is found a moment later', async ({ page, places }) => {
  const field = page.getByRole('combobox', { name: 'Search in everything' });
  await press(page, 'Control+Shift+F', field);
  await field.fill('orangery');
  await expect(page.getByText('Nothing found for “orangery”')).toBeVisible();
  await places.write('new.md', 'An orangery in winter.\n');
  await expect(page.getByRole('listbox', { name: 'Results' })).toContainText('orangery');
});

test.describe('hits in several notes', () => {
  test.use({ fill: { 'a.md': '# A\n\nThe heron nests here.\n\nA heron flies.\n', 'b.md': '# B\n\nNo heron there.\n' } });

  test('are walked through from the note that one of them opened', async ({ page }) => {
    const field = page.getByRole('combobox', { name: 'Search in everything' });
    await press(page, 'Control+Shift+F', field);
    await field.fill('heron');
    const results = page.getByRole('listbox', { name: 'Results' });
    await expect(results.getByRole('option').filter({ hasText: 'No heron' })).toBeVisible();
    await results.getByRole('option').filter({ hasText: 'nests' }).click();
    await expect(editor(page)).toBeFocused();
    const chosen = () => page.evaluate(() => getSelection()?.toString());
    await page.keyboard.press('F3');
    await expect.poll(chosen).toBe('heron');
    const first = await page.evaluate(() => getSelection()?.anchorNode?.parentElement?.closest('.cm-line')?.textContent);
    await page.keyboard.press('F3');
    await expect.poll(() => page.evaluate(() => getSelection()?.anchorNode?.parentElement?.closest('.cm-line')?.textContent)).not.toBe(first);
    // The next mark is the next hit, in the next note.
    await page.keyboard.press('F8');
    await expect(editor(page)).toContainText('No heron there.');
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press('Shift+F8');
    await expect(editor(page)).toContainText('nests');
  });
});

test.describe('what narrows a search', () => {
  test.use({
    fill: {
      'Projects/Old notes/a.md': '# A\n\nThe heron nests here.\n',
      'b.md': '# B\n\nA heron flies.\n',
      'c.txt': 'The heron again.\n',
    },
  });

  test('is a chip that can be removed, whether it was written or ticked', async ({ page }) => {
    const field = page.getByRole('combobox', { name: 'Search in everything' });
    await press(page, 'Control+Shift+f', field);
    const files = page.getByRole('listbox', { name: 'Results' }).getByRole('option').filter({ hasText: /passage/ });
    const chips = page.getByRole('list', { name: 'Narrowed by' });
    await field.fill('heron type:markdown path:Projects');
    await expect(files).toHaveCount(1);
    await expect(chips.getByRole('listitem')).toHaveText([/type:\s*markdown/, /path:\s*Projects/]);
    await chips.getByRole('button', { name: 'Remove path: Projects' }).click();
    await expect(field).toHaveValue('heron type:markdown');
    await expect(field).toBeFocused();
    await expect(files).toHaveCount(2);
    await page.getByRole('checkbox', { name: 'Markdown' }).click();
    await expect(files).toHaveCount(0);
    await chips.getByRole('button', { name: 'Remove Type without Markdown' }).click();
    await expect(files).toHaveCount(2);
    await field.fill('heron type:nonsense');
    await expect(chips.getByTitle('“nonsense” is no type of file, so it was searched as a word.')).toBeVisible();
  });

  test('is completed as it is written, and arrows are the results’ where nothing is', async ({ page }) => {
    const field = page.getByRole('combobox', { name: 'Search in everything' });
    await press(page, 'Control+Shift+f', field);
    const offers = page.getByRole('listbox', { name: 'What can be written here' });
    await field.pressSequentially('heron pat');
    await expect(offers.getByRole('option')).toHaveText(/path:.*below this folder/);
    await page.keyboard.press('Tab');
    await expect(field).toHaveValue('heron path:');
    await field.pressSequentially('old');
    await expect(offers.getByRole('option', { name: 'Projects/Old notes' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('heron path:"Projects/Old notes" ');
    await expect(offers).toBeHidden();
    const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await expect(found).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await expect(found.first()).toHaveAttribute('aria-selected', 'true');
    await field.pressSequentially('type:');
    await expect(offers).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(offers).toBeHidden();
    await expect(field).toHaveValue('heron path:"Projects/Old notes" type:');
  });
});
