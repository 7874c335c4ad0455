import { editor, expect, openNote, test } from '../support/test';

const BOM = '\uFEFF';
/** 橙园是一种带有高大窗户的建筑。\r\n冬天 in GB18030. */
const GB18030 = Buffer.from('b3c8d4b0cac7d2bbd6d6b4f8d3d0b8dfb4f3b4b0bba7b5c4bda8d6fea1a30d0ab6accced', 'hex');

test.describe('what is written', () => {
  test.use({
    fill: { 'crlf.md': `${BOM}# Glass\r\n\r\nfirst\r\nlast without an end`, 'gb.txt': GB18030 },
  });

  test('is saved by itself, and nothing else of the file changes', async ({ page, places }) => {
    await openNote(page, 'crlf');
    await editor(page).getByText('first', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' 玻璃');
    await page.keyboard.press('Enter');
    await page.keyboard.type('second');
    await expect
      .poll(() => places.text('crlf.md'))
      .toBe(`${BOM}# Glass\r\n\r\nfirst 玻璃\r\nsecond\r\nlast without an end`);
  });

  test('keeps the encoding that the file has', async ({ page, places }) => {
    await openNote(page, 'gb');
    await expect(editor(page)).toContainText('橙园是一种带有高大窗户的建筑。');
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('园');
    await expect
      .poll(async () => (await places.read('gb.txt')).toString('hex'))
      .toBe(`${GB18030.toString('hex')}d4b0`);
  });
});

test.describe('front matter', () => {
  const odd = [
    '---',
    'title:   "Glass: a note"  ',
    '# a comment',
    'tags: [ b, a ,"c d"]',
    'empty:',
    'list:',
    '    - one',
    '\t- two',
    'date: 2026-01-02',
    '...',
    '',
    '# Glass',
    '',
    'body  ',
    'last',
  ].join('\r\n');
  test.use({ fill: { 'odd.md': odd } });

  test('is left byte for byte as it is when the body is edited', async ({ page, places }) => {
    await openNote(page, 'odd');
    await editor(page).getByText('last', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('ing');
    await expect.poll(() => places.text('odd.md')).toBe(`${odd}ing`);
    // Looking at it, and going through it by keys, writes nothing.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Saved', { exact: false }).last()).toBeVisible();
    expect((await places.read('odd.md')).equals(Buffer.from(`${odd}ing`))).toBe(true);
  });
});

test.describe('a file that changed elsewhere', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`).join('\n');
  test.use({ fill: { 'note.md': `${lines}\n` } });

  test('is taken over, and the caret stays where it was', async ({ page, places }) => {
    await openNote(page, 'note');
    await editor(page).getByText('line 5', { exact: true }).click();
    await page.keyboard.press('End');
    await expect(page.getByText('Ln 5, Col 7')).toBeVisible();
    await places.write('note.md', `${lines.replace('line 1\n', 'line 1\nnew above\n')}\n`);
    await expect(editor(page)).toContainText('new above');
    await expect(page.getByText('Ln 6, Col 7')).toBeVisible();
  });

  test('while there is unsaved text is a conflict, and neither text is lost', async ({ page, places }) => {
    await openNote(page, 'note');
    await editor(page).getByText('line 5', { exact: true }).click();
    await page.keyboard.press('End');
    // No pause in which it could be saved: the file changes in the middle of a sentence.
    const typing = page.keyboard.type(' mine and mine and mine and mine', { delay: 40 });
    await expect(editor(page)).toContainText('line 5 mine');
    await places.write('note.md', `${lines.replace('line 5\n', 'line 5 theirs\n')}\n`);
    await typing;
    const banner = page.getByText('This note changed on disk');
    await expect(banner).toBeVisible();
    expect(await places.text('note.md')).toContain('line 5 theirs\n');
    await expect(editor(page)).toContainText('line 5 mine and mine');

    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect(banner).toBeHidden();
    await expect.poll(() => places.text('note.md')).toContain('line 5 mine and mine and mine and mine\n');
  });

  test('is taken in part, by key, where both are wanted', async ({ page, places }) => {
    await openNote(page, 'note');
    await editor(page).getByText('line 5', { exact: true }).click();
    await page.keyboard.press('End');
    const typing = page.keyboard.type(' mine and mine and mine and mine', { delay: 40 });
    await expect(editor(page)).toContainText('line 5 mine');
    await places.write('note.md', `${lines.replace('line 9\n', 'line 9 theirs\n')}\n`);
    await typing;
    await page.getByRole('button', { name: 'Compare' }).click();
    const mine = page.getByRole('textbox', { name: 'Yours' });
    await expect(mine).toContainText('line 5 mine');
    await page.getByRole('button', { name: 'Take this place from disk' }).last().press('Enter');
    await expect(mine).toContainText('line 9 theirs');
    await expect(mine).toBeFocused();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => places.text('note.md')).toContain('line 5 mine and mine and mine and mine\n');
    expect(await places.text('note.md')).toContain('line 9 theirs\n');
  });
});

test.describe('theirs', () => {
  test.use({ fill: { 'note.md': 'first\nsecond\n', 'plain.txt': 'first\nsecond\n' } });

  for (const [name, file] of [['note', 'note.md'], ['plain', 'plain.txt']] as const) {
    test(`can be loaded over ${file}, and undo brings the own text back`, async ({ page, places }) => {
      test.slow();
      let saves = 0;
      let pass = () => {};
      const passing = new Promise<void>((resolve) => (pass = resolve));
      await page.route('**/rpc/note.save', async (route) => {
        saves += 1;
        await passing;
        await route.continue();
      });
      await openNote(page, name);
      await editor(page).getByText('second', { exact: true }).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' mine');
      await places.write(file, 'FIRST\nsecond\n');
      pass();
      const banner = page.getByText('This note changed on disk');
      await expect(banner).toBeVisible();
      await expect(editor(page)).toContainText('second mine');
      expect(await places.text(file)).toBe('FIRST\nsecond\n');

      // Typing on is not saving: the choice is the user's.
      const before = saves;
      await page.keyboard.type(' still');
      await page.getByRole('button', { name: 'Load theirs' }).click();
      await expect(banner).toBeHidden();
      await expect(editor(page)).toContainText('FIRST');
      await expect(editor(page)).not.toContainText('mine');
      expect(saves).toBe(before);
      expect(await places.text(file)).toBe('FIRST\nsecond\n');

      let write = () => {};
      const writing = new Promise<void>((resolve) => (write = resolve));
      await page.unroute('**/rpc/note.save');
      await page.route('**/rpc/note.save', async (route) => {
        await writing;
        await route.continue();
      });
      await editor(page).click();
      await page.keyboard.press('Control+z');
      await expect(editor(page)).toContainText('second mine still');
      // Nothing but a save writes it.
      await expect(page.getByText(/Not saved yet|Saving/)).toBeVisible();
      expect(await places.text(file)).toBe('FIRST\nsecond\n');
      write();
      await expect.poll(() => places.text(file)).toBe('first\nsecond mine still\n');
    });
  }
});

test.describe('a long note that grew above', () => {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n + 1}`);
  test.use({ fill: { 'long.md': `${lines.join('\n')}\n` } });

  test('keeps the first line that is on the screen', async ({ page, places }) => {
    await openNote(page, 'long');
    const scroller = page.locator('.cm-scroller');
    await scroller.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    const first = () =>
      scroller.evaluate((element) => {
        const top = element.getBoundingClientRect().top;
        const shown = [...element.querySelectorAll('.cm-line')].find((line) => line.getBoundingClientRect().top >= top);
        return shown === undefined ? undefined : { text: shown.textContent, at: Math.round(shown.getBoundingClientRect().top - top) };
      });
    let standing: Awaited<ReturnType<typeof first>>;
    await expect(async () => {
      standing = await first();
      expect(standing?.text).toMatch(/line (1[5-9]|2[0-5])\d$/);
    }).toPass();
    await expect(page.getByText(/800 words/)).toBeVisible();
    await places.write('long.md', `${['one', 'two', 'three', 'four', 'five', ...lines].join('\n')}\n`);
    await expect(page.getByText(/805 words/)).toBeVisible();
    await expect.poll(first).toEqual(standing);
    await page.keyboard.press('Control+Home');
    await expect(editor(page)).toContainText('five');
  });
});

test.describe('an input method', () => {
  test.use({ fill: { 'note.md': 'before\n' } });

  test('composes in the editor, and the text is there exactly once', async ({ page, places, context }) => {
    await openNote(page, 'note');
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    const keys = await context.newCDPSession(page);
    for (const text of ['c', 'ch', '橙', '橙yuan']) {
      await keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    }
    await keys.send('Input.insertText', { text: '橙园' });
    await page.keyboard.type('!');
    await expect.poll(() => places.text('note.md')).toBe('before橙园!\n');
  });
});

test.describe('reading', () => {
  test.use({ fill: { 'note.md': '# Glass\n\n**Cast** iron.\n' } });

  test('takes turns with writing, by hand and by key', async ({ page }) => {
    await openNote(page, 'note');
    await page.getByRole('radio', { name: 'Read' }).click();
    const reader = page.getByRole('document', { name: /reading view/ });
    await expect(reader.getByRole('heading', { name: 'Glass' })).toBeVisible();
    await page.keyboard.press('Control+e');
    await expect(editor(page)).toBeVisible();
    await page.keyboard.press('Control+e');
    await expect(reader).toBeVisible();
  });
});

test.describe('a note with links, tasks and code', () => {
  const text = [
    '# Glass',
    'See [[Brief]], [[Later]] and ![plan](nowhere.png).',
    '- [ ] measure **shade**\n- [x] ask',
    '```rust\nfn main() {}\n```',
    '',
  ].join('\n\n');
  test.use({ fill: { 'note.md': text, 'Brief.md': '# Brief\n' } });

  test('tells links to notes that are not there yet, and takes it back when they are', async ({ page, places }) => {
    await openNote(page, 'note');
    const missing = editor(page).locator('.cm-link-missing');
    await expect(missing).toHaveText(['Later']);
    await expect(missing).toHaveAttribute('title', 'Not there yet');
    await page.getByRole('radio', { name: 'Read' }).click();
    const reader = page.getByRole('document', { name: /reading view/ });
    await expect(reader.locator('a.missing')).toHaveText(['Later']);
    await expect(reader.getByRole('link', { name: 'Brief' })).not.toHaveAttribute('title');
    await places.write('Later.md', 'now');
    await expect(reader.locator('a.missing')).toHaveCount(0);
  });

  test('is ticked in the reading view, and saved like typing', async ({ page, places }) => {
    await openNote(page, 'note');
    await page.getByRole('radio', { name: 'Read' }).click();
    const box = page.getByRole('checkbox', { name: 'measure shade' });
    await box.check();
    await expect(box).toBeChecked();
    await expect(box).toBeFocused();
    await expect.poll(() => places.text('note.md')).toBe(text.replace('[ ]', '[x]'));
  });

  test('colours code when it is read, as when it is written', async ({ page }) => {
    await openNote(page, 'note');
    await expect(editor(page).locator('.code-keyword')).toHaveText('fn');
    await page.getByRole('radio', { name: 'Read' }).click();
    await expect(page.getByRole('document').locator('.code-keyword')).toHaveText('fn');
  });

  test('stays as it is where a picture is missing', async ({ page, places }) => {
    await openNote(page, 'note');
    await expect(editor(page)).toContainText('Image not found');
    await editor(page).getByText('See').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Now ');
    await expect.poll(() => places.text('note.md')).toBe(text.replace('See', 'Now See'));
  });

  test('is searched from the first press on, and completes links', async ({ page, places }) => {
    await openNote(page, 'note');
    await editor(page).click();
    await page.keyboard.press('Control+f');
    await page.getByRole('search', { name: 'Find' }).getByRole('textbox', { name: 'Find' }).fill('measure');
    await expect(page.getByText('– / 1')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('[[Bri');
    await page.getByRole('listbox').getByRole('option', { name: /Brief/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => places.text('note.md')).toBe(`${text}[[Brief]]`);
  });
});

test.describe('the quick switcher', () => {
  test.use({ fill: { 'glass.md': '# Glass\n' } });

  test('opens the note that Enter meant, also when the list comes late', async ({ page }) => {
    await expect(page.getByRole('tree')).toContainText('glass');
    let pressed = () => {};
    const enter = new Promise<void>((resolve) => (pressed = resolve));
    await page.route('**/rpc/file.find', async (route) => {
      await enter;
      await route.continue();
    });
    await page.keyboard.press('Control+p');
    await page.keyboard.type('glas');
    await page.keyboard.press('Enter');
    pressed();
    await expect(editor(page)).toContainText('Glass');
    await expect(page.getByRole('treeitem')).toHaveText([/./, 'glass']);
  });
});
