import { call, theHost } from '../../api/client';
import { events } from '../../api/events';
import type { FilePlace, ResolvedLink, TagCount } from '../../api/generated/commands';
import type { NoteName, NotePort, WrittenLink } from '../../editor/note-port';
import { isOutside } from '../../editor/address';
import { t } from '../../messages/index.svelte';
import { app } from '../../state/app.svelte';
import { folderOf, stemOf } from '../../state/place';
import { workspace } from '../../state/workspace.svelte';

const NAMES_SHOWN = 20;

/** So long files must rest before links are looked up again, in milliseconds: a scan tells of many. */
const REST_MS = 300;

/** Where the links of one note lead; remembers the last one that led nowhere, so that it can be offered. */
export class NoteLinks implements NotePort {
  missing = $state.raw<{ name: string; wouldBe: FilePlace | null }>();

  #found = new Map<string, boolean>();
  #asked = new Set<string>();
  #waiting: WrittenLink[] = [];
  #asking = false;
  #watchers = new Set<() => void>();
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly place: FilePlace) {}

  get notYet(): string {
    return t('note.links.missing');
  }

  leads({ kind, target }: WrittenLink): boolean | undefined {
    if (target.trim() === '') return true;
    const key = `${kind} ${target}`;
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      this.#waiting.push({ kind, target, fragment: null });
      void this.#ask();
    }
    return this.#found.get(key);
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    this.#leave ??= events.listen((event) => {
      if (event.type === 'resync' || (event.type === 'stale' && event.tags.includes('files'))) this.#askAgain();
    });
    return () => {
      this.#watchers.delete(changed);
      if (this.#watchers.size > 0) return;
      this.#leave?.();
      this.#leave = undefined;
      // Nobody hears now of files that come and go.
      this.#asked.clear();
    };
  }

  follow(link: WrittenLink, beside: boolean): void {
    void this.go(link, beside);
  }

  async imageUrl(link: WrittenLink): Promise<string | null> {
    if (isOutside(link.target)) return null;
    const { place } = await this.#resolve(link);
    return place && theHost().blobUrl(`file/${place.kbId}/${place.path}`);
  }

  async names(text: string): Promise<NoteName[]> {
    const hits = await call('file.find', { text, limit: NAMES_SHOWN });
    return hits
      .filter(({ place }) => place.kbId === this.place.kbId)
      .map(({ place, title }) => {
        const stem = stemOf(place.path);
        return { target: stem, title: stem, detail: title === stem ? folderOf(place.path) : title };
      });
  }

  async tags(): Promise<readonly TagCount[]> {
    return call('tag.list', {});
  }

  async create(wouldBe: FilePlace): Promise<void> {
    this.missing = undefined;
    await call('note.create', { ...wouldBe, text: '' });
    workspace.openNote(wouldBe);
  }

  /** What was found stays in sight until it is found otherwise. */
  #askAgain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#asked.clear();
      this.#tell();
    }, REST_MS);
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    // What is drawn at once is asked at once.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const links = this.#waiting.splice(0);
      let changed = false;
      try {
        const led = await call('link.resolve', { from: this.place, links });
        for (const [at, { kind, target }] of links.entries()) {
          const there = (led[at]?.place ?? null) !== null;
          changed ||= this.#found.get(`${kind} ${target}`) !== there;
          this.#found.set(`${kind} ${target}`, there);
        }
      } catch {
        // They stay unknown, and are drawn as any other; following one says what is wrong.
      }
      if (changed) this.#tell();
    }
    this.#asking = false;
  }

  async #resolve(link: WrittenLink): Promise<ResolvedLink> {
    const [led] = await call('link.resolve', { from: this.place, links: [link] });
    return led ?? { place: null, line: null, wouldBe: null };
  }

  #tell(): void {
    for (const changed of this.#watchers) changed();
  }

  private async go(link: WrittenLink, beside: boolean): Promise<void> {
    this.missing = undefined;
    if (isOutside(link.target)) {
      // Only what a browser or a mail program takes leaves the app.
      if (/^(https?|mailto):/i.test(link.target)) app.openOutside(link.target);
      return;
    }
    if (link.target === '' && link.fragment === null) return;
    const { place, line, wouldBe } = await this.#resolve(link);
    if (place) workspace.openFile(place, line === null ? { beside } : { beside, line });
    else this.missing = { name: link.target, wouldBe };
  }
}
