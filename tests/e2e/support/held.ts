import type { Page } from '@playwright/test';

/** Keeps the first call of a method on its way until the answer is called; those after it are not kept. */
export async function holdFirst(page: Page, method: string): Promise<() => void> {
  let pass = () => {};
  const held = new Promise<void>((done) => (pass = done));
  let first = true;
  await page.route(`**/rpc/${method}`, async (route) => {
    if (first) {
      first = false;
      await held;
    }
    await route.continue();
  });
  return pass;
}
