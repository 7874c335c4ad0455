import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

import type { PlainKey } from '../messages/index.svelte';
import { matches, type Platform, type Pressed, show } from './keymap';

interface CommandRow {
  id: string;
  title: PlainKey;
  /** On every platform, unless one below says otherwise. The first is the one that is shown. */
  keys: readonly string[];
  mac?: readonly string[];
  /** In a browser, which keeps some keys for itself. */
  web?: readonly string[];
  webMac?: readonly string[];
  /** Not offered in the palette: it only makes sense as a key. */
  keyOnly?: boolean;
}

/**
 * The one list of commands. Which of them work is said by those who provide them; keys, palette and the page of
 * keys in Settings are derived from it.
 */
export const COMMANDS = [
  { id: 'go.file', title: 'command.goFile', keys: ['Mod+P'] },
  { id: 'go.command', title: 'command.palette', keys: ['Mod+Shift+P'] },
  { id: 'go.search', title: 'command.search', keys: ['Mod+Shift+F', 'Ctrl+Shift+S'], mac: ['Mod+Shift+F'] },
  { id: 'note.new', title: 'command.newNote', keys: ['Mod+N'], web: ['Alt+N'], webMac: ['Ctrl+Shift+N'] },
  { id: 'folder.new', title: 'command.newFolder', keys: [] },
  { id: 'kb.add', title: 'command.addKnowledgeBase', keys: [] },
  { id: 'kb.rescan', title: 'command.rescan', keys: [] },
  { id: 'tab.new', title: 'command.newTab', keys: ['Mod+T'], web: ['Alt+T'], webMac: ['Ctrl+Shift+T'] },
  { id: 'tab.close', title: 'command.closeTab', keys: ['Mod+W'], web: ['Alt+W'], webMac: ['Ctrl+Shift+W'] },
  { id: 'tab.reopen', title: 'command.reopenTab', keys: ['Mod+Shift+T'], web: ['Alt+R'], webMac: ['Ctrl+Shift+R'] },
  { id: 'tab.next', title: 'command.nextTab', keys: ['Ctrl+Tab'], web: ['Alt+PageDown'], webMac: ['Ctrl+Shift+PageDown'] },
  { id: 'tab.previous', title: 'command.previousTab', keys: ['Ctrl+Shift+Tab'], web: ['Alt+PageUp'], webMac: ['Ctrl+Shift+PageUp'] },
  { id: 'tab.split', title: 'command.splitRight', keys: ['Mod+Shift+2'] },
  { id: 'go.back', title: 'command.back', keys: ['Alt+ArrowLeft'], mac: ['Mod+['] },
  { id: 'go.forward', title: 'command.forward', keys: ['Alt+ArrowRight'], mac: ['Mod+]'] },
  { id: 'pane.left', title: 'command.toggleLeft', keys: ['Mod+\\'] },
  { id: 'pane.right', title: 'command.toggleRight', keys: ['Mod+Shift+\\'] },
  { id: 'pane.files', title: 'command.showFiles', keys: ['Mod+Shift+E'] },
  { id: 'files.troubled', title: 'command.troubled', keys: [] },
  { id: 'pane.changes', title: 'command.showChanges', keys: ['Mod+Shift+Y'] },
  { id: 'pane.assistant', title: 'command.assistant', keys: ['Mod+J'] },
  { id: 'pane.outline', title: 'command.outline', keys: ['Mod+Shift+O'] },
  { id: 'pane.links', title: 'command.links', keys: ['Mod+Shift+L'] },
  { id: 'pane.versions', title: 'command.versions', keys: [] },
  { id: 'assistant.level', title: 'command.level', keys: ['Mod+;'] },
  { id: 'assistant.stop', title: 'command.stop', keys: ['Ctrl+Shift+X'], mac: ['Mod+.'] },
  { id: 'assistant.newSession', title: 'command.newSession', keys: [] },
  { id: 'note.reading', title: 'command.reading', keys: ['Mod+E'] },
  { id: 'note.save', title: 'command.save', keys: ['Mod+S'] },
  { id: 'mark.next', title: 'command.nextMark', keys: ['F8'] },
  { id: 'mark.previous', title: 'command.previousMark', keys: ['Shift+F8'] },
  { id: 'region.next', title: 'command.nextRegion', keys: ['F6'], keyOnly: true },
  { id: 'region.previous', title: 'command.previousRegion', keys: ['Shift+F6'], keyOnly: true },
  { id: 'settings.open', title: 'command.settings', keys: ['Mod+,'] },
  { id: 'settings.models', title: 'command.models', keys: [] },
  { id: 'settings.web', title: 'command.web', keys: [] },
  { id: 'settings.keys', title: 'command.keys', keys: ['F1'] },
  { id: 'theme.light', title: 'command.themeLight', keys: [] },
  { id: 'theme.dark', title: 'command.themeDark', keys: [] },
  { id: 'theme.system', title: 'command.themeSystem', keys: [] },
] as const satisfies readonly CommandRow[];

export type CommandId = (typeof COMMANDS)[number]['id'];

export interface Surroundings {
  platform: Platform;
  web: boolean;
}

interface Provider {
  run: () => void;
  /** Default: always. Read reactively. */
  enabled?: () => boolean;
}

/** The keys of a command here. */
export function keysOf(id: CommandId, { platform, web }: Surroundings): readonly string[] {
  const row: CommandRow | undefined = COMMANDS.find((command) => command.id === id);
  if (row === undefined) return [];
  const mac = platform === 'macos';
  if (web && row.web !== undefined) return (mac ? row.webMac : undefined) ?? row.web;
  return (mac ? row.mac : undefined) ?? row.keys;
}

export class Commands {
  around = $state.raw<Surroundings>({ platform: 'linux', web: true });
  #providers = new SvelteMap<CommandId, readonly Provider[]>();

  /** Makes a command work. Call the answer to take it back; the last provider that can wins. */
  provide(id: CommandId, run: () => void, enabled?: () => boolean): () => void {
    const provider: Provider = enabled === undefined ? { run } : { run, enabled };
    const all = () => untrack(() => this.#providers.get(id) ?? []);
    this.#providers.set(id, [...all(), provider]);
    return () => {
      const others = all().filter((other) => other !== provider);
      if (others.length > 0) this.#providers.set(id, others);
      else this.#providers.delete(id);
    };
  }

  /** Commands that work now. */
  available(): (typeof COMMANDS)[number][] {
    return COMMANDS.filter(({ id }) => this.can(id));
  }

  can(id: CommandId): boolean {
    return this.#provider(id) !== undefined;
  }

  run(id: CommandId): boolean {
    const provider = this.#provider(id);
    provider?.run();
    return provider !== undefined;
  }

  #provider(id: CommandId): Provider | undefined {
    return this.#providers.get(id)?.findLast(({ enabled }) => enabled?.() ?? true);
  }

  /** The keys as they are shown; empty where it has none. */
  shown(id: CommandId): string {
    const keys = keysOf(id, this.around)[0];
    return keys === undefined ? '' : show(keys, this.around.platform);
  }

  /** Runs what the pressed keys mean. True: something ran. */
  press(event: Pressed): boolean {
    for (const { id } of COMMANDS) {
      for (const keys of keysOf(id, this.around)) {
        if (matches(event, keys, this.around.platform) && this.run(id)) return true;
      }
    }
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit !== undefined && matches(event, `${this.around.platform === 'macos' ? 'Meta' : 'Alt'}+${digit}`, this.around.platform)) {
      this.pickTab(Number(digit));
      return true;
    }
    return false;
  }

  /** Set by App: tab n of the current group. */
  pickTab: (n: number) => void = () => {};
}

export const commands = new Commands();
