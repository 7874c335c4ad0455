import type { FilePlace, Spot } from '../api/generated/commands';
import { isInDialog } from '../kit/hold';
import { samePlace } from './place';
import { field } from './storage';

export type SettingsPage = 'appearance' | 'models' | 'web' | 'knowledgeBases' | 'keyboard' | 'about';

/** What a middle tab shows. `features/<kind>/View.svelte` renders it (`note` is rendered by features/notes, `document` by features/documents). */
export type TabContent =
  | { kind: 'note'; place: FilePlace }
  | { kind: 'document'; place: FilePlace }
  | { kind: 'review'; changeSetId: number }
  | { kind: 'history'; place: FilePlace; version?: number }
  | { kind: 'search' }
  | { kind: 'settings'; page: SettingsPage };

/** Where a view should go when it is shown; it is taken once. */
export interface Reveal {
  /** From 1. */
  line?: number;
  endLine?: number;
  /** The passage at these lines as it was quoted: it is found again when the note has changed since. */
  quote?: string;
  /** First and last block of the passage in a document, from 1. */
  blocks?: [number, number];
  /** Where in a document: page, slide, chapter or row. */
  spot?: Spot;
  /** What was searched for: it is marked in a document, and what “next match” looks for in a note. */
  words?: readonly string[];
  /** A match of find: it is shown as a passage is, without its tint. */
  found?: true;
  operationId?: number;
  /** Whether the view takes the focus. */
  focus: boolean;
}

export class Tab {
  readonly id: string;
  content = $state.raw<TabContent>({ kind: 'search' });
  /** What it is about, set by the view: the title that stands in the file, the words searched for, the file under review. */
  title = $state<string>();
  /** In italics; the next opened file takes its place. */
  preview = $state(false);
  reveal = $state.raw<Reveal>();
  /** Scroll, caret and the like; what a view puts here comes back after a reload. Must be JSON. */
  memory = $state.raw<unknown>();

  constructor(id: string, content: TabContent) {
    this.id = id;
    this.content = content;
  }

  /**
   * Takes the pending reveal, so that it happens once. Who opened a dialog while the view was loading goes on typing
   * there: then it comes without the focus.
   */
  takeReveal(): Reveal | undefined {
    const reveal = this.reveal;
    this.reveal = undefined;
    return reveal?.focus === true && isInDialog() ? { ...reveal, focus: false } : reveal;
  }
}

/** Tabs side by side; the middle is one group or several. */
export class Group {
  readonly id: string;
  tabs = $state.raw<Tab[]>([]);
  activeId = $state<string>();
  readonly active = $derived(this.tabs.find((tab) => tab.id === this.activeId));

  constructor(id: string) {
    this.id = id;
  }
}

/** Two contents that belong into one tab. */
export function sameSubject(a: TabContent, b: TabContent): boolean {
  if (a.kind !== b.kind) return false;
  if ('place' in a && 'place' in b) return samePlace(a.place, b.place);
  return a.kind !== 'review' || b.kind !== 'review' || a.changeSetId === b.changeSetId;
}

/** The file that a tab is about. */
export function placeOf(content: TabContent): FilePlace | undefined {
  return 'place' in content ? content.place : undefined;
}

/** The file that a tab shows as it is now; none where it shows its history, or anything else. */
export function shownFile(content: TabContent): FilePlace | undefined {
  return content.kind === 'note' || content.kind === 'document' ? content.place : undefined;
}

/** A place as it was written down; nothing where it is none. */
export function asPlace(value: unknown): FilePlace | undefined {
  const kbId = field(value, 'kbId');
  const path = field(value, 'path');
  return typeof kbId === 'number' && typeof path === 'string' ? { kbId, path } : undefined;
}

/** A content as it was written down. */
export function asContent(value: unknown): TabContent | undefined {
  const kind = field(value, 'kind');
  if (kind === 'search') return { kind };
  if (kind === 'review') {
    const changeSetId = field(value, 'changeSetId');
    return typeof changeSetId === 'number' ? { kind, changeSetId } : undefined;
  }
  if (kind === 'settings') {
    const page = field(value, 'page');
    const pages: SettingsPage[] = ['appearance', 'models', 'web', 'knowledgeBases', 'keyboard', 'about'];
    return { kind, page: pages.find((candidate) => candidate === page) ?? 'appearance' };
  }
  if (kind === 'note' || kind === 'document' || kind === 'history') {
    const place = asPlace(field(value, 'place'));
    return place === undefined ? undefined : { kind, place };
  }
  return undefined;
}
