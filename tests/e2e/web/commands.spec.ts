import { scripted, useModel } from '../support/model';
import { expect, press, test } from '../support/test';

test.use({ fill: { 'a.md': '# A\n\nThe heron nests here.\n' } });

test('a command is asked for, shows its output while it runs, and says how it ended', async ({ page, places }) => {
  const line = 'echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2; exit 3';
  const model = await scripted([{ tool: 'exec', input: { command: line } }, 'It ended with 3.']);
  await useModel(page, model.baseUrl, 'L3');
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.fill('Run it');
  await page.keyboard.press('Enter');

  const card = page.getByRole('group', { name: 'Run a command?' });
  await expect(card).toContainText(line);
  await expect(card).toContainText(places.notes);
  await expect(card).toContainText('L3 · Full, ask first');
  await expect(card).toContainText('None: it may do what you may do');
  await expect(card).toContainText('120 seconds');
  await expect(card).toContainText('not shown as a diff');
  await card.focus();
  // Keys count only once the card has held the focus long enough to be read.
  await expect(async () => {
    await page.keyboard.press('y');
    await expect(card).toHaveCount(0, { timeout: 100 });
  }).toPass();
  await expect(composer).toBeFocused();

  const terminal = page.getByRole('group', { name: 'Command', exact: true });
  await expect(terminal.getByRole('region', { name: 'Output' })).toHaveText('one');
  await expect(terminal).toContainText('Running');
  await places.write('go', '');
  await expect(terminal).toContainText('Ended with exit code 3');
  await expect(terminal.getByRole('region', { name: 'Output' })).toContainText('two');
  await expect(terminal).toContainText('Undo does not take it back');
  await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('It ended with 3.');
  model.close();
});

test('an approval that waits out of sight is told, and is reached by its keys in a narrow window too', async ({ page }) => {
  const model = await scripted([{ tool: 'exec', input: { command: 'echo one' } }, 'Done.']);
  await useModel(page, model.baseUrl, 'L3');
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.fill('Run it');
  await page.keyboard.press('Enter');
  const card = page.getByRole('group', { name: 'Run a command?' });
  await expect(card).toBeVisible();

  await page.setViewportSize({ width: 1000, height: 700 });
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeVisible();
  await expect(card).toBeHidden();
  await expect(page.getByRole('button', { name: '1 approval waiting' })).toBeVisible();
  await press(page, 'Control+j', card);
  await page.keyboard.press('Control+j');
  await expect(card).toBeFocused();
  await expect(async () => {
    await page.keyboard.press('n');
    await expect(card).toHaveCount(0, { timeout: 100 });
  }).toPass();
  await expect(page.getByRole('button', { name: /waiting/ })).toHaveCount(0);
  model.close();
});

test('a command in the background is listed, read and stopped', async ({ page }) => {
  const input = { command: 'echo started; sleep 1000', background: true };
  const model = await scripted([{ tool: 'exec', input }, 'It runs.']);
  await useModel(page, model.baseUrl, 'L4');
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.fill('Run it');
  await page.keyboard.press('Enter');

  const jobs = page.getByRole('button', { name: '1 command in the background', exact: true });
  await jobs.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Commands in the background' });
  await panel.getByRole('button', { name: /echo started/ }).click();
  await expect(panel.getByRole('region', { name: 'Output' })).toHaveText('started');
  const terminal = page.getByRole('group', { name: 'Command', exact: true });
  await expect(terminal).toContainText('Runs in the background as #1');
  await panel.getByRole('button', { name: 'Stop command' }).focus();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Stopped; what it had written is kept');
  await expect(terminal).toContainText('Stopped; what it had written is kept');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '1 command in the background ended' })).toBeFocused();
  model.close();
});

test('the level picker says whether commands are confined', async ({ page }) => {
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await page.keyboard.press('Control+;');
  const confine = page.getByRole('switch', { name: 'Confine commands' });
  await expect(confine).toHaveAttribute('aria-checked', 'false');
  const missing = page.getByText(/kernel has no Landlock|kernel filters no system calls/);
  if ((await missing.count()) > 0) {
    await expect(confine).toHaveAttribute('aria-disabled', 'true');
    return;
  }
  await confine.click();
  await expect(confine).toHaveAttribute('aria-checked', 'true');
});

test('always allow shows the line, writes it, and the command is not asked for again', async ({ page, places }) => {
  const run = { tool: 'exec', input: { command: 'echo one' } };
  const model = await scripted([run, run, 'Done.']);
  await useModel(page, model.baseUrl, 'L3');
  const composer = page.getByRole('textbox', { name: /Ask/ });
  await press(page, 'Control+j', composer);
  await composer.fill('Run it');
  await page.keyboard.press('Enter');
  const card = page.getByRole('group', { name: 'Run a command?' });
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: 'Always allow…' }).click();
  await expect(card).toContainText('permissions.yaml');
  await expect(card).toContainText("+ - 'exec(echo one) in ");
  await expect(card).toContainText(places.notes);
  await card.getByRole('radio', { name: 'With any arguments' }).click();
  await expect(card).toContainText('exec(echo one:*)');
  await card.getByRole('radio', { name: 'Exactly this' }).click();
  await card.getByRole('button', { name: 'Write the rule and run it' }).click();
  await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('Done.');
  await expect(card).toHaveCount(0);
  model.close();
});
