import { SvelteMap } from 'svelte/reactivity';

import type { Citation, FilePlace, Spot } from '../api/generated/commands';
import { isDocument, kindOfName } from './kinds';
import { placeAfter, placeKey, samePlace } from './place';
import { field, recall, remember } from './storage';
import { asContent, asPlace, Group, placeOf, sameSubject, shownFile, Tab, type Reveal, type SettingsPage, type TabContent } from './tab.svelte';

export interface OpenOptions {
  line?: number;
  endLine?: number;
  quote?: string;
  blocks?: [number, number];
  spot?: Spot;
  words?: readonly string[];
  /** In a group beside the current one. */
  beside?: boolean;
  /** As a preview that the next one replaces. */
  preview?: boolean;
  /** Default true. */
  focus?: boolean;
}

/** A text that is edited somewhere, as far as closing it is concerned. */
export interface EditedDocument {
  /** Changed since the last save. Read reactively. */
  unsaved(): boolean;
  /** Saves now. False: it could not, and the text must stay. */
  save(): Promise<boolean>;
}

/** What the status bar says about the active view. */
export interface ViewStatus {
  /** Left to right: caret, words, encoding… */
  facts: string[];
  /** `Saved`, `Saving`, or why not. */
  save?: string;
}

export type Passage = Pick<Citation, 'place' | 'lines' | 'snippet' | 'blocks' | 'spot'>;

type Place = { content: TabContent; reveal?: Reveal };

/** Files that are remembered as opened. */
const RECENT = 30;

/** What is open in the middle, and the only door through which one feature opens another. */
export class Workspace {
  groups = $state.raw<Group[]>([]);
  activeGroupId = $state('');
  readonly group = $derived(this.groups.find((group) => group.id === this.activeGroupId) ?? this.groups[0]);
  readonly tab = $derived(this.group?.active);
  /** Files that were in front, the last one first. */
  recent = $state.raw<readonly FilePlace[]>([]);
  /** The note in front, or the last one that was and still is open; what the assistant takes as "this note". */
  readonly note = $derived(
    this.recent.find((place) => this.allTabs().some(({ content }) => content.kind === 'note' && samePlace(content.place, place))),
  );
  status = $state.raw<ViewStatus>();
  /** The right end of the status bar, told by the assistant. */
  model = $state<string>();
  tokens = $state<string>();

  #documents = new SvelteMap<string, EditedDocument>();
  #closed = $state.raw<Place[]>([]);
  readonly canReopen = $derived(this.#closed.length > 0);
  #history: Place[] = [];
  #at = -1;
  #next = 1;

  constructor() {
    this.groups = [new Group('g1')];
    this.activeGroupId = 'g1';
  }

  // ── Opening ──────────────────────────────────────────────────────────

  openNote(place: FilePlace, options: OpenOptions = {}): Tab {
    const reveal: Reveal = { focus: options.focus ?? true };
    if (options.line !== undefined) reveal.line = options.line;
    if (options.endLine !== undefined) reveal.endLine = options.endLine;
    if (options.quote !== undefined) reveal.quote = options.quote;
    if (options.words !== undefined) reveal.words = options.words;
    return this.open({ kind: 'note', place }, options, reveal);
  }

  openDocument(place: FilePlace, options: OpenOptions = {}): Tab {
    const reveal: Reveal = { focus: options.focus ?? true };
    if (options.blocks !== undefined) reveal.blocks = options.blocks;
    if (options.spot !== undefined) reveal.spot = options.spot;
    if (options.words !== undefined) reveal.words = options.words;
    return this.open({ kind: 'document', place }, options, reveal);
  }

  /** A file in what shows its kind. False: nothing here does. */
  openFile(place: FilePlace, options: OpenOptions = {}): boolean {
    const kind = kindOfName(place.path);
    if (kind === 'other') return false;
    if (isDocument(kind)) this.openDocument(place, options);
    else this.openNote(place, options);
    return true;
  }

  /** The passage that a hit or a source names; `words` of it were searched for. */
  openPassage({ place, lines, snippet, blocks, spot }: Passage, beside: boolean, words: readonly string[] = [], preview = false): boolean {
    const options: OpenOptions = { line: lines.start, endLine: lines.end, quote: snippet, words, beside, preview };
    if (blocks !== null) options.blocks = blocks;
    if (spot !== null) options.spot = spot;
    return this.openFile(place, options);
  }

  openReview(changeSetId: number, operationId?: number): Tab {
    const reveal: Reveal = { focus: true };
    if (operationId !== undefined) reveal.operationId = operationId;
    return this.open({ kind: 'review', changeSetId }, {}, reveal);
  }

  /** Earlier contents of a file: one of them, else the newest. */
  openHistory(place: FilePlace, version?: number): Tab {
    return this.open({ kind: 'history', place, ...(version === undefined ? {} : { version }) }, {}, { focus: true });
  }

  openSearch(): Tab {
    return this.open({ kind: 'search' }, {}, { focus: true });
  }

  openSettings(page: SettingsPage = 'appearance'): Tab {
    return this.open({ kind: 'settings', page }, {}, { focus: true });
  }

  open(content: TabContent, options: OpenOptions, reveal: Reveal): Tab {
    const group = options.beside === true ? this.#besideGroup() : this.group;
    if (group === undefined) throw new Error('a workspace always has a group');
    let tab = group.tabs.find((candidate) => sameSubject(candidate.content, content));
    if (tab === undefined) {
      const replaced = options.preview === true ? group.tabs.find((candidate) => candidate.preview) : undefined;
      tab = new Tab(`t${this.#next++}`, content);
      tab.preview = options.preview === true;
      const created = tab;
      if (replaced !== undefined && !this.isDirty(replaced)) {
        group.tabs = group.tabs.map((candidate) => (candidate === replaced ? created : candidate));
      } else {
        const at = group.tabs.findIndex((candidate) => candidate.id === group.activeId);
        group.tabs = [...group.tabs.slice(0, at + 1), created, ...group.tabs.slice(at + 1)];
      }
    } else {
      tab.content = content;
      if (options.preview !== true) tab.preview = false;
    }
    tab.reveal = reveal;
    this.activate(group, tab.id);
    this.#visit({ content, reveal });
    return tab;
  }

  activate(group: Group, tabId: string): void {
    // What is said of a tab that stays in front stays true.
    if (group.activeId !== tabId || this.group !== group) this.status = undefined;
    group.activeId = tabId;
    this.activeGroupId = group.id;
    const content = group.active?.content;
    const place = content && shownFile(content);
    if (place !== undefined) this.#shown(place);
    this.save();
  }

  #shown(place: FilePlace): void {
    this.recent = [place, ...this.recent.filter((other) => !samePlace(other, place))].slice(0, RECENT);
  }

  /** Next (1) or previous (-1) tab of the current group, around the ends. */
  cycle(step: 1 | -1): void {
    const group = this.group;
    if (group === undefined || group.tabs.length === 0) return;
    const at = group.tabs.findIndex((tab) => tab.id === group.activeId);
    const tab = group.tabs[(at + step + group.tabs.length) % group.tabs.length];
    if (tab !== undefined) this.#goTo(group, tab);
  }

  /** The nth tab from 1; 9 is the last. */
  pick(n: number): void {
    const group = this.group;
    const tab = n === 9 ? group?.tabs.at(-1) : group?.tabs[n - 1];
    if (group !== undefined && tab !== undefined) this.#goTo(group, tab);
  }

  /** Shows a tab for somebody who came by a command: its view takes the focus. */
  #goTo(group: Group, tab: Tab): void {
    tab.reveal ??= { focus: true };
    this.activate(group, tab.id);
  }

  splitRight(): void {
    const content = this.tab?.content;
    if (content !== undefined) this.open(content, { beside: true }, { focus: true });
  }

  move(group: Group, tabId: string, to: number): void {
    const tab = group.tabs.find((candidate) => candidate.id === tabId);
    if (tab === undefined) return;
    const rest = group.tabs.filter((candidate) => candidate !== tab);
    group.tabs = [...rest.slice(0, to), tab, ...rest.slice(to)];
    this.save();
  }

  /** A preview that was edited or double-clicked stays. */
  keep(tab: Tab): void {
    tab.preview = false;
    this.save();
  }

  // ── Closing ──────────────────────────────────────────────────────────

  /** Closes a tab, saving what is unsaved first. False: it could not be saved and stays open. */
  async close(tab: Tab): Promise<boolean> {
    const document = this.#lastViewOf(tab) ? this.documentOf(tab) : undefined;
    if (document?.unsaved() === true && !(await document.save())) return false;
    const group = this.groups.find((candidate) => candidate.tabs.includes(tab));
    if (group === undefined) return true;
    const at = group.tabs.indexOf(tab);
    group.tabs = group.tabs.filter((candidate) => candidate !== tab);
    this.#closed = [...this.#closed.slice(-29), { content: tab.content }];
    if (group.activeId === tab.id) {
      const next = group.tabs[at] ?? group.tabs[at - 1];
      if (next !== undefined) this.#goTo(group, next);
      else group.activeId = undefined;
    }
    if (group.tabs.length === 0 && this.groups.length > 1) {
      this.groups = this.groups.filter((candidate) => candidate !== group);
      const remaining = this.groups[0];
      if (remaining?.active !== undefined) this.#goTo(remaining, remaining.active);
      else this.activeGroupId = remaining?.id ?? '';
    }
    this.save();
    return true;
  }

  reopen(): void {
    const place = this.#closed.at(-1);
    this.#closed = this.#closed.slice(0, -1);
    if (place !== undefined) this.open(place.content, {}, { focus: true });
  }

  /** Closes what shows files of a knowledge base that is gone. */
  async forget(kbId: number): Promise<void> {
    this.recent = this.recent.filter((place) => place.kbId !== kbId);
    for (const tab of this.allTabs()) {
      if (placeOf(tab.content)?.kbId === kbId) await this.close(tab);
    }
  }

  /** Closes what shows a file that went to the trash, or one in a folder that did. */
  async leave(gone: FilePlace): Promise<void> {
    this.recent = this.recent.filter((place) => placeAfter(place, gone, gone) === undefined);
    for (const tab of this.allTabs()) {
      const place = shownFile(tab.content);
      if (place !== undefined && placeAfter(place, gone, gone) !== undefined) await this.close(tab);
    }
  }

  /** What shows a file that was moved, or one in a folder that was, shows it where it is now. */
  follow(from: FilePlace, to: FilePlace): void {
    const moved = (content: TabContent): TabContent => {
      const before = placeOf(content);
      const place = before && placeAfter(before, from, to);
      return place === undefined ? content : ({ ...content, place } as TabContent);
    };
    for (const tab of this.allTabs()) {
      const content = moved(tab.content);
      if (content === tab.content) continue;
      tab.content = content;
      tab.title = undefined;
    }
    this.recent = this.recent.map((place) => placeAfter(place, from, to) ?? place);
    for (const place of [...this.#closed, ...this.#history]) place.content = moved(place.content);
    this.save();
  }

  // ── Unsaved text ─────────────────────────────────────────────────────

  /** Tells that a text is being edited. Call the answer when it no longer is. */
  registerDocument(place: FilePlace, document: EditedDocument): () => void {
    const key = placeKey(place);
    this.#documents.set(key, document);
    return () => {
      if (this.#documents.get(key) === document) this.#documents.delete(key);
    };
  }

  documentOf(tab: Tab): EditedDocument | undefined {
    return tab.content.kind === 'note' ? this.#documents.get(placeKey(tab.content.place)) : undefined;
  }

  isDirty(tab: Tab): boolean {
    return this.documentOf(tab)?.unsaved() ?? false;
  }

  anyUnsaved(): boolean {
    for (const document of this.#documents.values()) if (document.unsaved()) return true;
    return false;
  }

  /** Saves everything. False when something could not be saved. */
  async saveAll(): Promise<boolean> {
    const waiting = [...this.#documents.values()].filter((document) => document.unsaved());
    const results = await Promise.all(waiting.map((document) => document.save()));
    return results.every(Boolean);
  }

  // ── Back and forward ─────────────────────────────────────────────────

  /** Lets a view say where the reader is now, so that going back returns there. */
  mark(line: number): void {
    const here = this.#history[this.#at];
    if (here !== undefined) here.reveal = { line, focus: true };
  }

  go(step: 1 | -1): void {
    const next = this.#history[this.#at + step];
    if (next === undefined) return;
    this.#at += step;
    const at = this.#at;
    const history = this.#history;
    this.open(next.content, {}, next.reveal ?? { focus: true });
    this.#history = history;
    this.#at = at;
  }

  #visit(place: Place): void {
    const here = this.#history[this.#at];
    if (here !== undefined && JSON.stringify(here) === JSON.stringify(place)) return;
    this.#history = [...this.#history.slice(Math.max(0, this.#at - 99), this.#at + 1), place];
    this.#at = this.#history.length - 1;
  }

  // ── Staying ──────────────────────────────────────────────────────────

  /** Writes down what is open. Views call it after changing `memory`. */
  save(): void {
    if (this.#saving) return;
    this.#saving = true;
    // Later, and once: what is torn down saves too, and in a teardown state still reads as it was before.
    queueMicrotask(() => {
      this.#saving = false;
      this.#write();
    });
  }

  #saving = false;

  #write(): void {
    remember('workspace', {
      groups: this.groups.map((group) => ({
        active: group.tabs.findIndex((tab) => tab.id === group.activeId),
        tabs: group.tabs.map(({ content, title, preview, memory }) => ({ content, title, preview, memory })),
      })),
      active: this.groups.findIndex((group) => group.id === this.activeGroupId),
      recent: this.recent,
    });
  }

  /** Opens what was open when this window was last used. */
  restore(saved: unknown = recall('workspace')): void {
    const groups = field(saved, 'groups');
    if (!Array.isArray(groups)) return;
    const recent = field(saved, 'recent');
    if (Array.isArray(recent)) this.recent = (recent as unknown[]).flatMap((place) => asPlace(place) ?? []);
    const restored: Group[] = [];
    for (const savedGroup of groups as unknown[]) {
      const tabs = field(savedGroup, 'tabs');
      if (!Array.isArray(tabs)) continue;
      const group = new Group(`g${restored.length + 1}`);
      for (const savedTab of tabs as unknown[]) {
        const content = asContent(field(savedTab, 'content'));
        if (content === undefined) continue;
        const tab = new Tab(`t${this.#next++}`, content);
        tab.preview = field(savedTab, 'preview') === true;
        tab.memory = field(savedTab, 'memory');
        const title = field(savedTab, 'title');
        // A view says its title when it is shown; until then it is called as it was.
        if (typeof title === 'string') tab.title = title;
        group.tabs = [...group.tabs, tab];
      }
      const active = field(savedGroup, 'active');
      group.activeId = (typeof active === 'number' ? group.tabs[active] : undefined)?.id ?? group.tabs[0]?.id;
      if (group.tabs.length > 0 || restored.length === 0) restored.push(group);
    }
    if (restored.length === 0) return;
    this.groups = restored;
    const active = field(saved, 'active');
    const group = (typeof active === 'number' ? restored[active] : undefined) ?? restored[0];
    this.activeGroupId = group?.id ?? '';
    const content = group?.active?.content;
    if (content !== undefined) {
      const place = shownFile(content);
      if (place !== undefined) this.#shown(place);
      this.#visit({ content });
    }
  }

  allTabs(): Tab[] {
    return this.groups.flatMap((group) => group.tabs);
  }

  #besideGroup(): Group {
    const at = this.groups.findIndex((group) => group.id === this.activeGroupId);
    const next = this.groups[at + 1];
    if (next !== undefined) return next;
    const used = new Set(this.groups.map((group) => group.id));
    let n = 1;
    while (used.has(`g${n}`)) n += 1;
    const group = new Group(`g${n}`);
    this.groups = [...this.groups, group];
    return group;
  }

  #lastViewOf(tab: Tab): boolean {
    return !this.allTabs().some((other) => other !== tab && sameSubject(other.content, tab.content));
  }
}

export const workspace = new Workspace();
