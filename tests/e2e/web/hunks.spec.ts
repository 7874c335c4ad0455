import type { Page } from '@playwright/test';

import { holdFirst } from '../support/held';
import type { Places } from '../support/host';
import { propose } from '../support/proposals';
import { editor, expect, openNote, press, test } from '../support/test';

const filler = (from: number) => Array.from({ length: 12 }, (_, index) => `Line ${from + index} stays.\n`).join('');
const before = `# Glass\n\nCast iron frames.\n\n${filler(1)}\nThe roof is flat.\n\n${filler(20)}\nThe floor is stone.\n`;

test.use({ fill: { 'glass.md': before } });

const review = (page: Page) => page.getByRole('region', { name: 'Review of the change' });
const hunk = (page: Page, at: number) => review(page).locator(`[data-hunk="${at}"]`);

async function three(places: Places): Promise<void> {
  await propose(
    places,
    'glass.md',
    { original: 'Cast iron', next: 'Timber' },
    { original: 'flat', next: 'pitched' },
    { original: 'stone', next: 'brick' },
  );
}

/** Asks the host what the interface has no need to ask here. */
function rpc(page: Page, method: string, params: unknown): Promise<unknown> {
  return page.evaluate(
    async ([method, body]) => {
      const answer = await fetch(`/rpc/${method}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json() as Promise<unknown>;
    },
    [method, JSON.stringify(params)] as const,
  );
}

async function open(page: Page, name: RegExp = /^glass/): Promise<void> {
  const operation = page.getByRole('checkbox', { name });
  await press(page, 'Control+Shift+Y', operation);
  await operation.click();
  await expect(review(page)).toBeFocused();
}

for (const view of ['Split', 'Unified']) {
  test(`hunks are decided by keyboard in the ${view.toLowerCase()} view, applied, and taken back`, async ({ page, places }) => {
    await three(places);
    await open(page);
    await review(page).getByRole('radio', { name: view }).click();
    await review(page).focus();
    await expect(hunk(page, 0)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('a');
    await expect(hunk(page, 0)).toContainText('Accepted');
    await expect(hunk(page, 1)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('r');
    await expect(hunk(page, 1)).toContainText('stays “The roof is flat.”');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(hunk(page, 1)).not.toContainText('stays');
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('u');
    await expect(hunk(page, 2)).not.toContainText('Accepted');
    await page.keyboard.press('a');
    await expect(hunk(page, 2)).toContainText('Accepted');
    expect(await places.text('glass.md')).toBe(before);
    await expect(page.getByRole('checkbox', { name: /^glass.*2 accepted, 1 rejected/ })).toBeVisible();
    await page.keyboard.press('Control+Enter');
    const after = before.replace('Cast iron', 'Timber').replace('stone', 'brick');
    await expect.poll(() => places.text('glass.md')).toBe(after);

    // A hunk's own Undo, of its decision, stands there until the page knows what was applied.
    await page.getByRole('button', { name: 'Undo all' }).first().click();
    await expect.poll(() => places.text('glass.md')).toBe(before);
    await openNote(page, 'glass');
    await expect(editor(page)).toContainText('Cast iron frames.');
  });
}

test('unchanged lines unfold between hunks', async ({ page, places }) => {
  await three(places);
  await open(page);
  await expect(review(page).getByText('Line 5 stays.')).toHaveCount(0);
  await review(page).getByRole('button', { name: /unchanged line/ }).first().click();
  await expect(review(page).getByText('Line 5 stays.').first()).toBeVisible();
});

test('a key that is pressed before the hunks are there decides one of them, not all', async ({ page, places }) => {
  await three(places);
  const answer = await holdFirst(page, 'change.diff');
  await open(page);
  await page.keyboard.press('a');
  answer();
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => places.text('glass.md')).toBe(before.replace('Cast iron', 'Timber'));
});

test('everything that waits is rejected after a question, and can be had back', async ({ page, places }) => {
  await three(places);
  await open(page);
  await page.keyboard.press('a');
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.getByRole('button', { name: 'Reject all…' }).click();
  await page.getByRole('button', { name: 'Reject all', exact: true }).click();
  await expect(hunk(page, 0)).toContainText('Rejected');
  await page.getByRole('group', { name: /rejected/ }).getByRole('button', { name: 'Undo' }).click();
  await expect(hunk(page, 0)).toContainText('Accepted');
  await expect(hunk(page, 1)).toContainText('Reject');
  await expect(hunk(page, 1)).not.toContainText('Rejected');
});

test('the proposed text is edited in place', async ({ page, places }) => {
  await three(places);
  await open(page);
  await page.keyboard.press('e');
  const text = page.getByRole('textbox', { name: /Proposed text/ });
  await expect(text).toHaveValue('Timber frames.');
  await text.fill('Oak frames.');
  await page.keyboard.press('Escape');
  await expect(text).toBeHidden();
  await expect(review(page)).toBeFocused();
  await page.keyboard.press('e');
  await text.fill('Oak frames,\nin the grey of the old ones.');
  await page.keyboard.press('Control+Enter');
  await expect(review(page).getByText('in the grey of the old ones.').first()).toBeVisible();
  await page.keyboard.press('x');
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.keyboard.press('Control+Enter');
  const after = before.replace('Cast iron frames.', 'Oak frames,\nin the grey of the old ones.').replace('flat', 'pitched').replace('stone', 'brick');
  await expect.poll(() => places.text('glass.md')).toBe(after);
});

async function writeComment(page: Page): Promise<void> {
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  const box = page.getByRole('textbox', { name: /Your comment/ });
  await box.fill('By how many degrees?');
  await page.getByRole('button', { name: 'Keep for later' }).click();
  await expect(page.getByRole('note', { name: /Your comment/ })).toContainText('By how many degrees?');
}

test('a comment stands at its line, is counted, and waits where nobody would answer it', async ({ page, places }) => {
  await three(places);
  await open(page);
  await writeComment(page);
  await expect(review(page)).toBeFocused();
  await expect(page.getByRole('checkbox', { name: /glass.*1 comment/ })).toBeVisible();
  const send = page.getByRole('button', { name: 'Send 1 comment to assistant' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expect(send).toHaveAttribute('title', /no model/);
  await send.click({ force: true });
  await expect(page.getByRole('note', { name: /Your comment/ })).toContainText('Not sent yet');
});

test('a comment goes back to the assistant that has a model', async ({ page, places }) => {
  await three(places);
  // Nobody listens there; what is sent stands in the conversation all the same.
  await rpc(page, 'model.save', { name: 'Local', baseUrl: 'http://127.0.0.1:9/v1', model: 'local', contextTokens: 8000, tools: true })
    .then((model) => rpc(page, 'session.list', {}).then((sessions) => ({ model, sessions })))
    .then(({ model, sessions }) =>
      rpc(page, 'session.configure', { sessionId: (sessions as { id: string }[])[0]?.id, model: { modelId: (model as { id: string }).id } }),
    );
  await open(page);
  await writeComment(page);
  const send = page.getByRole('button', { name: 'Send 1 comment to assistant' });
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  await send.click();
  await expect(page.getByRole('note', { name: /Your comment/ })).toContainText('Sent at');
  await expect(page.getByRole('button', { name: /Send \d+ comment/ })).toBeHidden();
});

test('decisions are taken as they were pressed, however long each is on its way', async ({ page, places }) => {
  await three(places);
  await open(page);
  await expect(hunk(page, 0)).toHaveAttribute('aria-current', 'true');
  const pass = await holdFirst(page, 'change.review');
  // Accepted, taken back, and rejected; the next one accepted, and all of it applied at once.
  for (const key of ['a', 'k', 'u', 'r', 'a', 'Control+Enter']) await page.keyboard.press(key);
  await expect(hunk(page, 1)).toContainText('Accepted');
  expect(await places.text('glass.md')).toBe(before);
  pass();
  await expect.poll(() => places.text('glass.md')).toBe(before.replace('flat', 'pitched'));
});

test.describe('two notes', () => {
  test.use({ fill: { 'glass.md': before, 'iron.md': '# Iron\n\nIron rusts.\n' } });

  test('going back goes over what was accepted, into the note before', async ({ page, places }) => {
    await three(places);
    await propose(places, 'iron.md', { original: 'rusts', next: 'corrodes' });
    await open(page);
    const current = (at: number) => expect(hunk(page, at)).toHaveAttribute('aria-current', 'true');
    const tab = (name: string) => expect(page.getByRole('tab', { name: `Review: ${name}` })).toBeVisible();
    await current(0);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await current(2);
    await page.keyboard.press('a');
    // What was left undecided comes first, then the next note.
    await current(0);
    await page.keyboard.press('a');
    await tab('iron');
    await expect(hunk(page, 0)).toContainText('Accept');
    for (const at of [0, 2, 1]) {
      await page.keyboard.press('k');
      await current(at);
    }
    await tab('glass');
    await page.keyboard.press('u');
    await expect(hunk(page, 1)).not.toContainText('Accepted');
    // Beyond the last hunk is the next note, and before its first one the last of this.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await tab('iron');
    await page.keyboard.press('k');
    await tab('glass');
    await current(2);
  });
});

test('what was rejected is proposed again', async ({ page, places }) => {
  await three(places);
  await open(page);
  await page.keyboard.press('r');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(hunk(page, 2)).toContainText('Accepted');
  await page.keyboard.press('Control+Enter');
  const applied = before.replace('flat', 'pitched').replace('stone', 'brick');
  await expect.poll(() => places.text('glass.md')).toBe(applied);
  await hunk(page, 0).getByRole('button', { name: 'Propose again' }).click();
  await expect(hunk(page, 1)).toHaveCount(0);
  await expect(hunk(page, 0)).toContainText('Accept');
  await review(page).focus();
  await page.keyboard.press('a');
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => places.text('glass.md')).toBe(applied.replace('Cast iron', 'Timber'));
});

test('a conflict is resolved place by place, and its result is a new proposal', async ({ page, places }) => {
  await three(places);
  await places.write('glass.md', before.replace('Cast iron', 'Steel').replace('Line 25 stays.', 'Line 25 was changed.'));
  // A proposal follows its file: where both changed the same lines it is a conflict before anything is decided.
  await open(page);
  await expect(page.getByText('This file changed after the assistant read it.')).toBeVisible();
  const operations = page.getByRole('checkbox', { name: /^glass/ });
  await expect(operations).toHaveAttribute('aria-readonly', 'true');
  await expect(operations).toHaveAttribute('aria-disabled', 'false');
  const propose = page.getByRole('button', { name: /Propose this result/ });
  await expect(propose).toHaveAttribute('aria-disabled', 'true');
  await review(page).focus();
  await page.keyboard.press('3');
  await expect(page.getByRole('radio', { name: /Take proposal/ })).toBeChecked();
  await page.keyboard.press('1');
  await expect(page.getByRole('radio', { name: /Keep mine/ })).toBeChecked();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'Text of this place' }).fill('Steel and timber frames.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await expect(hunk(page, 0)).toContainText('Accept');
  // The other proposal stands for what was in conflict: nothing of that is decided any more.
  await expect(operations.first()).toHaveAttribute('aria-disabled', 'true');
  await expect(operations.first()).toContainText('another proposal stands for it');
  await review(page).focus();
  await page.keyboard.press('x');
  await expect(hunk(page, 0)).toContainText('Accepted');
  await page.keyboard.press('Control+Enter');
  const merged = before
    .replace('Cast iron frames.', 'Steel and timber frames.')
    .replace('Line 25 stays.', 'Line 25 was changed.')
    .replace('flat', 'pitched')
    .replace('stone', 'brick');
  await expect.poll(() => places.text('glass.md')).toBe(merged);
});
