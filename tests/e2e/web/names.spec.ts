import type { Page } from '@playwright/test';
import { expect, openNote, press, test } from '../support/test';

/** Roles of things that are worked with; each must say what it is. */
const CONTROLS = new Set([
  'button', 'checkbox', 'combobox', 'link', 'listbox', 'menu', 'menuitem', 'option', 'radio', 'radiogroup', 'searchbox',
  'separator', 'spinbutton', 'switch', 'tab', 'tablist', 'tabpanel', 'textbox', 'tree', 'treeitem',
]);

interface AxValue {
  value?: unknown;
}
interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: AxValue;
  name?: AxValue;
}

/** What stands in the accessibility tree without a name, and stops of Tab without a role. */
async function nameless(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  await devtools.detach();
  const wrong: string[] = [];
  for (const { ignored, role, name } of nodes) {
    const kind = String(role?.value);
    if (!ignored && CONTROLS.has(kind) && String(name?.value ?? '').trim() === '') wrong.push(`${kind} without a name`);
  }
  const stops = page.locator('[tabindex="0"]:not([role]):not(button, a, input, select, textarea)');
  for (const stop of await stops.all()) wrong.push(`a stop without a role: ${await stop.getAttribute('class')}`);
  const landmarks = nodes
    .filter(({ ignored, role }) => !ignored && ['main', 'complementary', 'region', 'navigation'].includes(String(role?.value)))
    .map(({ name }) => String(name?.value));
  for (const name of landmarks) if (landmarks.filter((other) => other === name).length > 1) wrong.push(`two landmarks named ${name}`);
  return wrong;
}

test.describe('what assistive technology is told', () => {
  test.use({ fill: { 'Glass.md': '# Glass\n\n- [ ] measure [[Brief]]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', 'Brief.md': '# Brief\n' } });

  test('has a name for every control', async ({ page }) => {
    await expect(page.getByRole('treeitem', { name: 'Glass' })).toBeVisible();
    expect(await nameless(page)).toEqual([]);
    await openNote(page, 'Glass');
    expect(await nameless(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Read' }).click();
    await expect(page.getByRole('checkbox', { name: 'measure Brief' })).toBeVisible();
    expect(await nameless(page)).toEqual([]);
    await press(page, 'Control+Shift+P', page.getByRole('combobox', { name: 'Go to a file or run a command' }));
    expect(await nameless(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('button');
    await expect(pages.first()).toBeVisible();
    for (const one of await pages.all()) {
      await one.click();
      expect(await nameless(page), await one.innerText()).toEqual([]);
    }
  });
});

test.describe('the first run', () => {
  test.use({ registered: false });

  test('lists folders as folders and nothing else', async ({ page }) => {
    await page.getByRole('button', { name: 'Choose folder' }).click();
    const list = page.getByRole('listbox');
    await expect(list).toBeVisible();
    expect(await nameless(page)).toEqual([]);
    await expect(list.locator('p')).toHaveCount(0);
  });
});
