import { editor, expect, press, test } from '../support/test';

test.use({
  fill: {
    'garden/winter.md': `# Winter\n\n${'Filler about nothing.\n\n'.repeat(60)}## Citrus\n\nThe citrus trees spend the winter in the orangery.\n`,
    'other.md': 'Nothing here.\n',
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`trees/${n}.md`, `# Tree ${n}\n\n${'The oak grows slowly and casts a wide shade over the lawn of the house. '.repeat(9)}\n`]),
    ),
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

test('passages are shown from the question on, and the newest is one press away', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  const transcript = page.getByRole('region', { name: 'Conversation' });
  const question = transcript.getByRole('article', { name: 'You' }).last();
  for (const text of ['How does the oak grow?', 'What shade does the oak cast?']) {
    await composer.fill(text);
    await page.keyboard.press('Enter');
    // A busy machine: question, passages and notice come before the window is drawn again.
    await page.evaluate(() => {
      const until = performance.now() + 1500;
      while (performance.now() < until);
    });
    await expect(question).toHaveText(text);
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    await expect(transcript.getByRole('list', { name: 'Sources' }).last()).toBeAttached();
    await expect(question).toBeInViewport({ ratio: 1 });
    await expect(transcript.getByRole('list', { name: 'Sources' }).last()).not.toBeInViewport();
  }
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(transcript.getByRole('list', { name: 'Sources' }).last()).toBeInViewport();
});

test('the composer offers what is open, and no longer what was closed', async ({ page }) => {
  await press(page, 'Control+j', page.getByRole('textbox', { name: /Ask/ }));
  await page.getByRole('treeitem', { name: 'other' }).click();
  const offer = page.getByRole('button', { name: /Point at other/ });
  await expect(offer).toBeVisible();
  await page.getByRole('tab', { name: 'other' }).click({ button: 'middle' });
  await expect(page.getByRole('tab', { name: 'other' })).toBeHidden();
  await expect(offer).toBeHidden();
});
