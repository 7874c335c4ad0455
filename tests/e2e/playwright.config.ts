import { defineConfig } from '@playwright/test';

/** Debian's browser: no download of another one, no sandbox of its own as root, nothing that phones out. */
const chromium = {
  executablePath: process.env['ORANGERY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export default defineConfig({
  outputDir: 'results',
  reporter: process.env['CI'] ? [['list']] : [['list'], ['html', { outputFolder: 'results-html', open: 'never' }]],
  forbidOnly: true,
  workers: 2,
  fullyParallel: true,
  // Generous: two cores are shared with whatever else runs. Nothing waits for time, only for conditions.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  projects: [
    {
      name: 'web',
      testDir: 'web',
      use: {
        browserName: 'chromium',
        launchOptions: chromium,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        colorScheme: 'light',
        trace: 'retain-on-failure',
        screenshot: 'only-on-failure',
      },
    },
    { name: 'window', testDir: 'window' },
  ],
});
