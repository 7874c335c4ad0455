import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { budget } from './budget.ts';

/** Where `orangery serve` listens during development; the built files are served by the host itself. */
const backend = process.env['ORANGERY_URL'] ?? 'http://127.0.0.1:7420';

/**
 * The list of languages knows Markdown too, by a language that needs HTML, CSS and JavaScript. Notes have one of their
 * own, so a fence of Markdown is read by that, and the editor does not carry the other.
 */
const markdownFences: Plugin = {
  name: 'markdown-fences',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@codemirror/lang-markdown' && importer?.includes('language-data') === true
      ? path.resolve(import.meta.dirname, 'src/editor/fence.ts')
      : null,
};

export default defineConfig({
  plugins: [markdownFences, svelte(), budget()],
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
