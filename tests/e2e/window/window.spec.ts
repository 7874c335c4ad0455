import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from '@playwright/test';

import { Places, built } from '../support/host';
import { WebDriver } from '../support/webdriver';

const execute = promisify(execFile);

/** The real window, with the real view of the system, on a display that nobody looks at. */
test('a note is written in the window', async ({}, info) => {
  const places = await Places.make();
  // A loaded machine may need longer for its first paint than a user would wait.
  const environment = { ...places.environment, WEBKIT_DISABLE_DMABUF_RENDERER: '1' };
  const desktop = built('ORANGERY_DESKTOP', 'orangery-desktop');
  await places.write('橙园.md', '# 橙园\n\n冬天\n');
  await execute(built('ORANGERY_HOST', 'orangery'), ['index', places.notes], { env: environment });

  const driver = await WebDriver.start(desktop, environment);
  try {
    const capabilities = await driver.runAsync<{ host: string; nativeDialogs: boolean }>(
      `return window.__TAURI_INTERNALS__.invoke('rpc', { method: 'host.capabilities', params: {} })`,
    );
    expect(capabilities).toMatchObject({ host: 'desktop', nativeDialogs: true });

    await expect
      .poll(() => driver.run<string>('return document.querySelector("[role=tree]")?.textContent ?? ""'))
      .toContain('橙园');
    await driver.run(
      'for (const item of document.querySelectorAll("[role=treeitem]")) if (item.textContent.includes("橙园")) item.click();',
    );
    await expect.poll(() => driver.run<string>('return document.querySelector(".cm-content")?.textContent ?? ""')).toContain('冬天');

    await driver.click('.cm-content');
    await driver.type('.cm-content', '玻璃');
    await expect.poll(() => places.text('橙园.md')).toContain('玻璃');

    // A second start finds the first window and leaves.
    await execute(desktop, [], { env: environment });

    await info.attach('window', { body: await driver.screenshot(), contentType: 'image/png' });
    const refused = await driver.runAsync<string>(
      `const told = new Promise((tell) => addEventListener('securitypolicyviolation', (e) => tell(e.effectiveDirective)));
       await fetch('https://example.org/').catch(() => undefined);
       return told;`,
    );
    expect(refused).toBe('connect-src');
  } finally {
    await driver.stop();
    await places.remove();
  }
});
