import type { Tab } from '../../state/tab.svelte';
import { workspace } from '../../state/workspace.svelte';

/** What a document's tab remembers after a reload. */
export interface Memory {
  /** As text, where pages could be shown. */
  text?: boolean;
  outline?: boolean;
  /** Block at the upper edge of the text, from 1. */
  block?: number;
  /** Page at the upper edge, from 1, and how far it is scrolled past, as a share of its height. */
  page?: number;
  past?: number;
  /** Points to pixels; absent: as wide as there is room. */
  zoom?: number;
  sheet?: number;
  /** Chosen cell, from 0. */
  cell?: [number, number];
}

export function memoryOf(tab: Tab): Memory {
  return typeof tab.memory === 'object' && tab.memory !== null ? tab.memory : {};
}

export function keepMemory(tab: Tab, change: { [K in keyof Memory]: Memory[K] | undefined }): void {
  tab.memory = { ...memoryOf(tab), ...change };
  workspace.save();
}
