import { editor, expect, openNote, press, test } from '../support/test';

// Every request to another origin fails any test; here such addresses are what the note and the answer are made of.
const image = 'https://tracker.example/pixel.png?text=secret';
const link = 'https://bank.example@evil.example/pay';

test.use({ fill: { 'poisoned.md': `# Poisoned\n\n![kitten](${image})\n\nThe [bank](${link}) is open.\n\nThe end.\n` } });

test('a note names pictures of the web instead of fetching them, and says where links lead', async ({ page }) => {
  await openNote(page, 'poisoned');
  await editor(page).getByText('The end.').click();
  await expect(editor(page).locator('.cm-chip')).toContainText(image);
  await expect(editor(page).getByText('bank', { exact: true })).toHaveAttribute('title', /^evil\.example\n/);

  await page.keyboard.press('Control+e');
  const reader = page.getByRole('document', { name: /reading view/ });
  await expect(reader.locator('.prose-chip')).toHaveText(image);
  await expect(reader.getByText('bank', { exact: true })).toHaveAttribute('title', /^evil\.example\n/);
  await expect(reader.locator('img')).toHaveCount(0);
});

test('an answer does the same', async ({ page }) => {
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.fill('What is open?');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Assistant', exact: true }).last();
  await expect(answer).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();

  // The words of a model that was talked into it.
  await page.route('**/rpc/session.get', async (route) => {
    const response = await route.fetch();
    const transcript = (await response.json()) as { messages: { content: { role: string; text: string } }[] };
    for (const { content } of transcript.messages) {
      if (content.role === 'assistant') content.text = `Look: ![kitten](${image}) and <img src="${image}"> or pay at the [bank](${link}).`;
    }
    await route.fulfill({ response, json: transcript });
  });
  await page.reload();
  await expect(answer.locator('.prose-chip')).toHaveText(image);
  await expect(answer.getByText('bank', { exact: true })).toHaveAttribute('title', /^evil\.example\n/);
  await expect(answer.locator('img')).toHaveCount(0);
});
