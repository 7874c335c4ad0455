import type { Position } from '../../api/generated/commands';
import type { Tab } from '../../state/tab.svelte';
import { workspace } from '../../state/workspace.svelte';

/** What a note's tab remembers after a reload. */
export interface Memory {
  reading?: boolean;
  caret?: Position;
  /** First line on the screen. */
  top?: number;
  /** First line of the reading view, where it was scrolled: the editor goes there too. */
  read?: number;
}

export function memoryOf(tab: Tab): Memory {
  return typeof tab.memory === 'object' && tab.memory !== null ? tab.memory : {};
}

export function keepMemory(tab: Tab, change: { [K in keyof Memory]: Memory[K] | undefined }): void {
  tab.memory = { ...memoryOf(tab), ...change };
  workspace.save();
}
