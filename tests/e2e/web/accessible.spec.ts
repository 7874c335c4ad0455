import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

import { propose } from '../support/proposals';
import { expect, openNote, press, test } from '../support/test';

test.use({
  fill: {
    'glass.md': '---\ntags: [roof]\n---\n# Glass\n\nCast iron, see [[roof]] and [nowhere](nowhere.md).\n\n- [ ] ask\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    'roof.md': '# Roof\n\nThe roof is flat.\n',
    'plan.pdf': 'x',
    'page.html': '<h1>Daylight</h1><p>The roof lets <a href="https://example.org">light</a> in.</p><ul><li>Glass</li></ul>',
    'rooms.csv': 'Room,Area\nHall,12\nRoof,40\n',
  },
});

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the rules of WCAG 2.2 AA find, as far as a machine can tell. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(await source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(context: Document, options: object): Promise<AxeResults> } };
    const found = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      // “1 line added” is a better name than “+1”.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen keeps the rules of accessibility, ${colorScheme}`, async ({ page, places }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const clean = (screen: string) => expect.poll(() => faults(page), screen).toEqual([]);
    await propose(places, 'roof.md', { original: 'flat', next: 'pitched' });

    await openNote(page, 'glass');
    await clean('writing');
    await page.keyboard.press('Control+e');
    await expect(page.getByRole('document', { name: /reading view/ })).toBeVisible();
    await page.keyboard.press('Control+Shift+O');
    await clean('reading, outline');
    await page.keyboard.press('Control+Shift+L');
    await clean('links');
    for (const name of ['page', 'rooms']) {
      await page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.keyboard.type('roof');
      await expect(page.getByRole('search', { name: 'Find' })).toContainText('1 / 1');
      await clean(`document ${name}, find`);
      await page.keyboard.press('Escape');
    }
    await press(page, 'Control+p', page.getByRole('dialog'));
    await clean('palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+F');
    await page.keyboard.type('roof "x');
    await expect(page.getByRole('listbox', { name: 'Results' })).toBeVisible();
    await clean('search');
    await page.keyboard.type('" type:nonsense type:');
    await expect(page.getByRole('listbox', { name: 'What can be written here' })).toBeVisible();
    await clean('search, chips and offers');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+E');
    await page.getByRole('button', { name: /could not be read/ }).click();
    await expect(page.getByRole('option', { name: /^plan\.pdf/ })).toBeVisible();
    await clean('files that could not be read');
    await page.keyboard.press('Escape');
    const operation = page.getByRole('checkbox', { name: /^roof/ });
    await press(page, 'Control+Shift+Y', operation);
    await operation.click();
    await expect(page.getByRole('region', { name: 'Review of the change' })).toBeVisible();
    await clean('review');
    await page.keyboard.press('Control+j');
    await page.keyboard.type('Is the roof flat?');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article', { name: 'Assistant', exact: true }).last()).toBeVisible();
    await page.keyboard.press('Control+;');
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    await clean('assistant, levels');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    for (const name of ['Appearance', 'Knowledge bases', 'Keyboard', 'About', 'Models']) {
      await page.getByRole('navigation').first().getByText(name, { exact: true }).click();
      await expect(page.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible();
      await clean(name);
    }
  });
}
