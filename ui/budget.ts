import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** What is loaded with the window, in bytes after gzip. */
const SHELL = 150_000;
/** The same with a note in front: the budget of the interface. */
const NOTE = 250_000;

const ALWAYS = ['library/View', 'library/ScanProgress', 'assistant/View', 'palette/View'];
const WITH_NOTE = [...ALWAYS, 'notes/View'];
const WITHOUT_NOTE = [...ALWAYS, 'welcome/View'];

/** Fails a build whose first load is over its budget, and says how large it is. */
export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const shell = sizeOf(bundle, WITHOUT_NOTE);
      const note = sizeOf(bundle, WITH_NOTE);
      const report = `first load: ${kilobytes(shell)}, with a note ${kilobytes(note)}`;
      if (shell <= SHELL && note <= NOTE) this.info(report);
      else this.error(`${report}; the budget is ${kilobytes(SHELL)} and ${kilobytes(NOTE)}`);
    },
  };
}

function sizeOf(bundle: Rollup.OutputBundle, views: string[]): number {
  const files = new Set<string>();
  const take = (name: string) => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    for (const css of file.viteMetadata?.importedCss ?? []) files.add(css);
    file.imports.forEach(take);
  };
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue;
    const source = file.facadeModuleId ?? '';
    if (file.isEntry || views.some((view) => source.endsWith(`/features/${view}.svelte`))) take(file.fileName);
  }
  let size = 0;
  for (const name of files) {
    const file = bundle[name];
    if (file !== undefined) size += gzipSync(file.type === 'chunk' ? file.code : file.source).length;
  }
  return size;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
