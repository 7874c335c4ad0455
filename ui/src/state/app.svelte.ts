import { SvelteMap } from 'svelte/reactivity';

import { call, holdCalls, isWireError, theHost } from '../api/client';
import { events } from '../api/events';
import type { Capabilities, Event, FilePlace, KnowledgeBase, ScanState, Settings } from '../api/generated/commands';
import { systemLocale, useLocale } from '../messages/index.svelte';
import { approvals } from './approvals.svelte';
import { commands } from './commands.svelte';
import type { Platform } from './keymap';
import { queries, type Query } from './query.svelte';
import { remember } from './storage';

const UNKNOWN: Capabilities = { host: 'web', version: '', platform: 'linux', nativeDialogs: false, frameless: false, readOnly: false, sample: null, unconfined: null };

/** What the whole app shares: the host's abilities, the settings, and the knowledge bases with their progress. */
export class App {
  capabilities = $state.raw<Capabilities>(UNKNOWN);
  /** The stream of events is whole. */
  connected = $state(true);
  /** Nobody lets this browser in; where it was in before, the app that did has ended and the one that runs now asks for its own link. */
  signedOut = $state<'never' | 'since'>();
  #wasIn = false;
  readonly scans = new SvelteMap<number, ScanState>();
  #settings = $state.raw<Query<'setting.get'>>();
  #knowledgeBases = $state.raw<Query<'kb.list'>>();

  readonly settings = $derived(this.#settings?.data);
  readonly knowledgeBases = $derived(this.#knowledgeBases?.data ?? []);
  /** The list has arrived, so that its being empty means something. */
  readonly ready = $derived(this.#knowledgeBases?.data !== undefined && this.#settings?.data !== undefined);
  readonly failure = $derived(this.#settings?.error ?? this.#knowledgeBases?.error);

  /** Opens the stream of events; nothing is asked before it is open. */
  follow(): void {
    events.listen((event) => this.take(event));
    events.onConnection((open) => {
      this.connected = open;
      if (open) {
        this.signedOut = undefined;
        this.#wasIn = true;
      } else void this.#askWhyLost();
    });
    events.open();
    holdCalls(events.settled);
  }

  /** Asks for what is needed first. */
  async start(): Promise<void> {
    this.#settings = queries.open('setting.get', {});
    this.#knowledgeBases = queries.open('kb.list', {});
    this.capabilities = await call('host.capabilities', {});
    const { platform, host } = this.capabilities;
    commands.around = { platform: asPlatform(platform), web: host !== 'desktop' };
  }

  /** Whether waiting helps: a host that is gone may come back, one that does not know this browser will not let it in. */
  async #askWhyLost(): Promise<void> {
    const code = await call('host.capabilities', {}).then(() => undefined, (error: unknown) => isWireError(error) ? error.code : undefined);
    const unknown = code === 'notSignedIn' || code === 'linkUsed';
    if (!this.connected) this.signedOut = !unknown ? undefined : this.#wasIn ? 'since' : 'never';
  }

  take(event: Event): void {
    queries.take(event);
    approvals.take(event);
    if (event.type === 'scan') this.scans.set(event.kbId, event.scan);
    else if (event.type === 'resync') this.scans.clear();
  }

  /** How far a knowledge base is: the newest that was heard. */
  scanOf(kb: KnowledgeBase): ScanState {
    return this.scans.get(kb.id) ?? kb.scan;
  }

  knowledgeBase(id: number): KnowledgeBase | undefined {
    return this.knowledgeBases.find((kb) => kb.id === id);
  }

  /** Where a file lies, in words: its knowledge base, and the folders down to it. */
  foldersAbove({ kbId, path }: FilePlace): string[] {
    return [this.knowledgeBase(kbId)?.name ?? '', ...path.split('/').slice(0, -1)];
  }

  /** Changes some settings. They hold at once; if the backend refuses, what it says holds again. */
  set(change: Partial<Settings>): Promise<void> {
    const { settings } = this;
    if (settings === undefined) return Promise.resolve();
    if (this.#changes.length === 0) this.#told = settings;
    this.#changes.push(change);
    this.#settings?.put({ ...settings, ...change });
    const told = this.#telling.then(() => this.#tell(change));
    this.#telling = told.catch(() => undefined);
    return told;
  }

  /** Settings that the backend has, and the changes that it has not taken yet: all are written, so one by one. */
  #told: Settings | undefined;
  #changes: Partial<Settings>[] = [];
  #telling: Promise<void> = Promise.resolve();

  async #tell(change: Partial<Settings>): Promise<void> {
    try {
      if (this.#told !== undefined) this.#told = await call('setting.set', { settings: { ...this.#told, ...change } });
    } finally {
      this.#changes.shift();
      if (this.#told !== undefined) this.#settings?.put(Object.assign({}, this.#told, ...this.#changes) as Settings);
    }
  }

  /** Puts theme, density and language onto the document. */
  async dress(settings: Settings, languages: readonly string[]): Promise<void> {
    const root = document.documentElement;
    if (settings.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = settings.theme;
    if (settings.density === 'comfortable') root.dataset['density'] = 'comfortable';
    else delete root.dataset['density'];
    const locale = settings.language === 'system' ? systemLocale(languages) : settings.language;
    await useLocale(locale);
    root.lang = locale;
    remember('look', {
      theme: settings.theme,
      density: settings.density,
      ...(settings.language === 'system' ? {} : { language: settings.language }),
    });
  }

  openOutside(url: string): void {
    void theHost().openOutside(url);
  }
}

/** The user paused or gave up its scan: only the user lets it go on. */
export function isPaused(kb: KnowledgeBase, scan: ScanState): boolean {
  return !kb.offline && scan.held !== null;
}

function asPlatform(name: string): Platform {
  return name === 'macos' || name === 'windows' ? name : 'linux';
}

export const app = new App();
