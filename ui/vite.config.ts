import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Where `orangery serve` listens during development; the built files are served by the host itself. */
const backend = process.env['ORANGERY_URL'] ?? 'http://127.0.0.1:7420';

export default defineConfig({
  plugins: [svelte()],
  // Tests run what the browser runs; without this, effects would be those of a server, which never run.
  ...(process.env['VITEST'] === undefined ? {} : { resolve: { conditions: ['browser'] } }),
  build: {
    // WebKitGTK of Debian 12, Edge WebView2, Safari of macOS 13. Lightning CSS lowers light-dark() for these.
    target: ['es2022', 'safari16.4', 'chrome111', 'firefox115'],
    // The content policy allows no inline scripts and no data: sources.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    // The backend takes calls from its own page only, so the proxy speaks as that page.
    proxy: Object.fromEntries(
      ['/session', '/rpc', '/events', '/blob'].map((path) => [
        path,
        { target: backend, changeOrigin: true, headers: { origin: backend } },
      ]),
    ),
  },
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
  },
});
