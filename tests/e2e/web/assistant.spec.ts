import { editor, expect, press, test } from '../support/test';

test.use({
  fill: {
    'garden/winter.md': `# Winter\n\n${'Filler about nothing.\n\n'.repeat(60)}## Citrus\n\nThe citrus trees spend the winter in the orangery.\n`,
    'other.md': 'Nothing here.\n',
  },
});

test('without a model the assistant cites a passage that opens at its line', async ({ page, context }) => {
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.click();

  // Enter that ends a composition sends nothing.
  const keys = await context.newCDPSession(page);
  await keys.send('Input.imeSetComposition', { text: 'where', selectionStart: 5, selectionEnd: 5 });
  await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
  await keys.send('Input.insertText', { text: 'Where do the citrus trees spend the winter?' });
  await expect(composer).toHaveValue('Where do the citrus trees spend the winter?');

  await page.keyboard.press('Enter');
  const citation = page.getByRole('button', { name: /Winter.*Citrus.*line 125/ });
  await citation.click();
  await expect(editor(page).getByText('The citrus trees spend the winter in the orangery.')).toBeInViewport();
});
