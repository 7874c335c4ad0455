import { workspace } from './state/workspace.svelte';

/**
 * Addresses of places in the app, in the fragment so that they never reach a server:
 * `#/note/<knowledge base>/<path>` with an optional `:<line>`, `#/review/<change set>`, `#/search`, `#/settings`.
 */
export type Address =
  | { kind: 'note'; kbId: number; path: string; line?: number }
  | { kind: 'review'; changeSetId: number }
  | { kind: 'search' }
  | { kind: 'settings' };

export function parseAddress(fragment: string): Address | undefined {
  const [, kind, ...rest] = fragment.replace(/^#/, '').split('/');
  if (kind === 'search' || kind === 'settings') return { kind };
  const id = Number(rest[0]);
  if (!Number.isSafeInteger(id) || id < 0 || rest[0] === '') return undefined;
  if (kind === 'review') return { kind, changeSetId: id };
  if (kind !== 'note' || rest.length < 2) return undefined;
  const last = rest.at(-1) ?? '';
  const line = /:(\d+)$/.exec(last)?.[1];
  const parts = rest.slice(1);
  if (line !== undefined) parts[parts.length - 1] = last.slice(0, -line.length - 1);
  let path: string;
  try {
    path = parts.map(decodeURIComponent).join('/');
  } catch {
    return undefined;
  }
  return line === undefined ? { kind, kbId: id, path } : { kind, kbId: id, path, line: Number(line) };
}

/** Opens what the address names, and clears it: the window itself remembers what is open. */
export function openFromAddress(): void {
  const address = parseAddress(location.hash);
  if (address === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  switch (address.kind) {
    case 'note':
      workspace.openFile({ kbId: address.kbId, path: address.path }, address.line === undefined ? {} : { line: address.line });
      break;
    case 'review':
      workspace.openReview(address.changeSetId);
      break;
    case 'search':
      workspace.openSearch();
      break;
    case 'settings':
      workspace.openSettings();
      break;
  }
}
