import { type ApiError, asApiError, call } from '../../api/client';
import { events } from '../../api/events';
import type { FileKind, SearchPage, SearchQuery } from '../../api/generated/commands';
import { lineAmong, linesOf } from './results';

export type Changed = 'any' | 'week' | 'year';

/** Kinds to choose from: all, since what none of them names could not be found once one is unticked. */
export const SEARCHED: FileKind[] = ['markdown', 'text', 'pdf', 'docx', 'pptx', 'table', 'epub', 'html', 'image', 'other'];

const PAGE = 30;
const DAY = 86_400_000;
/** Letters that follow at once are one question, in milliseconds. */
const PAUSE = 70;

/** The one search of the window: its words and filters, asked while somebody types. */
export class Search {
  text = $state('');
  /** Unticked knowledge bases and kinds; nothing unticked means no filter. */
  withoutBases = $state.raw<readonly number[]>([]);
  withoutKinds = $state.raw<readonly FileKind[]>([]);
  changed = $state<Changed>('any');
  page = $state.raw<SearchPage>();
  /** The line of the results that was chosen or opened last; none: -1. */
  at = $state(-1);
  /** The words that `page` answers. */
  answered = $state('');
  error = $state.raw<ApiError>();
  loading = $state(false);
  readonly lines = $derived(this.page === undefined ? [] : linesOf(this.page.groups));
  readonly passages = $derived(this.page?.groups.reduce((sum, group) => sum + group.hits.length, 0) ?? 0);
  #round = 0;
  /** Takes back what was asked last. */
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** New words. Not to be called inside a composition. */
  type(text: string): void {
    this.text = text;
    // Other words ask for other results: what was chosen among the old ones is not meant any more.
    this.at = -1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.run(), PAUSE);
  }

  filter(change: Partial<Pick<Search, 'withoutBases' | 'withoutKinds' | 'changed'>>): void {
    Object.assign(this, change);
    void this.run();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#next();
    this.text = '';
    this.answered = '';
    this.at = -1;
    this.page = undefined;
    this.error = undefined;
    this.loading = false;
  }

  /** `bases`: all that exist, since a filter names those to keep. */
  query(bases: readonly number[], offset = 0): SearchQuery {
    const kept = bases.filter((id) => !this.withoutBases.includes(id));
    const kinds = SEARCHED.filter((kind) => !this.withoutKinds.includes(kind));
    const days = { any: undefined, week: 7, year: 365 }[this.changed];
    return {
      text: this.text,
      kbIds: this.withoutBases.length === 0 ? [] : kept,
      operators: true,
      // A finished word is a word; one that is being typed is a beginning.
      prefix: !/[\s"]$/.test(this.text),
      pathPrefix: null,
      tags: [],
      fileTypes: this.withoutKinds.length === 0 ? [] : kinds,
      updatedAfter: days === undefined ? null : this.#now() - days * DAY,
      updatedBefore: null,
      offset,
      limit: PAGE,
      perFile: 0,
    };
  }

  /** Knowledge bases to choose from; set by the view. */
  bases: () => readonly number[] = () => [];

  async run(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.text.trim() === '') {
      this.clear();
      return;
    }
    const { round, signal } = this.#next();
    const text = this.text;
    const bases = this.bases();
    const query = this.query(bases);
    // Everything unticked is a question with no answer, not one without a filter.
    if (this.#excludesAll(bases)) {
      this.#show({ groups: [], totalFiles: 0, more: false, warnings: [], incomplete: null, tookUs: 0 }, text);
      this.loading = false;
      return;
    }
    this.loading = true;
    try {
      const page = await call('search.run', query, signal);
      if (round !== this.#round) return;
      this.#show(page, text);
    } catch (reason) {
      if (round !== this.#round) return;
      this.error = asApiError(reason);
    }
    this.loading = false;
    if (this.#moved) this.indexMoved();
  }

  /** What was chosen while the answer was on its way stays chosen, wherever it stands now. */
  #show(page: SearchPage, text: string): void {
    const chosen = this.lines[this.at];
    this.page = page;
    this.at = lineAmong(this.lines, chosen);
    this.answered = text;
    this.error = undefined;
  }

  /** What was asked before is no longer waited for, neither here nor in the backend. */
  #next(): { round: number; signal: AbortSignal } {
    this.#asked?.abort();
    this.#asked = new AbortController();
    return { round: ++this.#round, signal: this.#asked.signal };
  }

  /** The next files, below those that are there. */
  async more(): Promise<void> {
    const page = this.page;
    if (page === undefined || !page.more || this.loading) return;
    const round = this.#round;
    this.loading = true;
    try {
      const next = await call('search.run', this.query(this.bases(), page.groups.length), this.#asked?.signal);
      if (round !== this.#round) return;
      const known = new Set(page.groups.map((group) => group.fileId));
      this.page = { ...next, groups: [...page.groups, ...next.groups.filter((group) => !known.has(group.fileId))] };
    } catch (reason) {
      if (round === this.#round) this.error = asApiError(reason);
    }
    if (round === this.#round) this.loading = false;
  }

  /**
   * Asks again when the index has moved on, but only while what is shown is known to be incomplete: rows that a
   * reader looks at do not change under the pointer otherwise.
   */
  follow(): () => void {
    return events.listen((event) => {
      if (event.type === 'resync' || (event.type === 'stale' && event.tags.includes('search'))) this.indexMoved();
    });
  }

  /** An answer that is on its way may be of before: it is looked at when it is there. */
  #moved = false;
  indexMoved(): void {
    this.#moved = this.loading;
    if (!this.loading && (this.page?.incomplete != null || this.page?.groups.length === 0)) void this.run();
  }

  #excludesAll(bases: readonly number[]): boolean {
    const noBase = bases.length > 0 && bases.every((id) => this.withoutBases.includes(id));
    return noBase || SEARCHED.every((kind) => this.withoutKinds.includes(kind));
  }
}

export const search = new Search();
