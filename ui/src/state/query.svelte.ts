import { type ApiError, type Method, type Reply, type Request, asApiError, call } from '../api/client';
import { READS, type Event, type Tag } from '../api/generated/commands';

/** How long an answer that nobody looks at is kept, in milliseconds. */
const KEEP = 60_000;

/**
 * Between an answer and the next one of the same question, in milliseconds: an index at work makes answers stale many
 * times a second, and a long list must not be read and drawn anew each time.
 */
const REST = 200;

/** The answer of one method with one set of parameters; the same object for all who ask. */
export class Query<M extends Method> {
  data = $state.raw<Reply<M>>();
  error = $state.raw<ApiError>();
  /** A request is on its way. With `data` set, what is shown is the answer before. */
  loading = $state(false);
  readonly method: M;
  readonly params: Request<M>;
  /** How many look at it now. */
  watchers = 0;
  stale = true;
  /** Answers asked for before the last `put` are older than what it put. */
  #puts = 0;
  #flight: Promise<void> | undefined;
  #again = false;
  #ending = new AbortController();

  constructor(method: M, params: Request<M>) {
    this.method = method;
    this.params = params;
  }

  /**
   * Asks the backend. One request is on its way at a time: who asks meanwhile gets its answer, which is shown, and
   * then, a moment later, a newer one. However fast answers grow stale, some arrive, and never more than both sides
   * keep up with.
   */
  fetch(): Promise<void> {
    this.stale = false;
    if (this.#flight !== undefined) this.#again = true;
    else this.#flight = this.#ask();
    return this.#flight;
  }

  async #ask(): Promise<void> {
    do {
      this.#again = false;
      this.stale = false;
      this.loading = true;
      const puts = this.#puts;
      const { signal } = (this.#ending = new AbortController());
      try {
        const data = await call(this.method, this.params, signal);
        if (puts === this.#puts) {
          this.data = data;
          this.error = undefined;
        }
      } catch (reason) {
        if (signal.aborted) {
          // Somebody may look again by now.
          this.stale = true;
          this.#again = true;
        } else if (puts === this.#puts) {
          this.error = asApiError(reason);
          this.stale = true;
        }
      }
      if (this.#again && this.watchers > 0) await new Promise((rested) => setTimeout(rested, REST));
      if (this.#again && this.watchers === 0) {
        // Nobody looks any more: the next who does asks.
        this.stale = true;
        this.#again = false;
      }
    } while (this.#again);
    this.#flight = undefined;
    this.loading = false;
  }

  /** Nobody waits for the first answer any more: the backend need not find it. */
  letGo(): void {
    if (this.#flight !== undefined && this.data === undefined) this.#ending.abort();
  }

  /** Puts an answer that is known already in place, such as the reply of the call that changed it. */
  put(data: Reply<M>): void {
    this.#puts += 1;
    this.#again = false;
    this.data = data;
    this.error = undefined;
    this.loading = false;
    this.stale = false;
  }
}

type AnyQuery = Query<Method>;

/** Answers by method and parameters. What a stale tag names is asked again while somebody looks at it. */
export class QueryCache {
  #entries = new Map<string, AnyQuery>();
  #drops = new Map<string, ReturnType<typeof setTimeout>>();
  #readers: Partial<Record<Method, Tag[]>>;

  constructor(readers: Partial<Record<Method, Tag[]>> = READS) {
    this.#readers = readers;
  }

  /** Looks at an answer until `release`; asks for it unless it is there and fresh. */
  open<M extends Method>(method: M, params: Request<M>): Query<M> {
    const key = keyOf(method, params);
    let query = this.#entries.get(key) as Query<M> | undefined;
    if (query === undefined) {
      query = new Query(method, params);
      this.#entries.set(key, query as unknown as AnyQuery);
    }
    clearTimeout(this.#drops.get(key));
    this.#drops.delete(key);
    query.watchers += 1;
    if (query.stale) void query.fetch();
    return query;
  }

  release<M extends Method>(query: Query<M>): void {
    query.watchers -= 1;
    if (query.watchers > 0) return;
    // Later: what is released is often opened again at once, by the next who shows it.
    setTimeout(() => query.watchers === 0 && query.letGo());
    const key = keyOf(query.method, query.params);
    this.#drops.set(
      key,
      setTimeout(() => {
        this.#drops.delete(key);
        this.#entries.delete(key);
      }, KEEP),
    );
  }

  /** Marks what reads one of the tags as stale (no tags: everything), and asks again what is looked at. */
  invalidate(tags?: readonly Tag[]): void {
    for (const query of this.#entries.values()) {
      const reads = this.#readers[query.method] ?? [];
      if (tags !== undefined && !tags.some((tag) => reads.includes(tag))) continue;
      query.stale = true;
      if (query.watchers > 0) void query.fetch();
    }
  }

  take(event: Event): void {
    if (event.type === 'stale') this.invalidate(event.tags);
    else if (event.type === 'resync') this.invalidate();
  }

  get size(): number {
    return this.#entries.size;
  }
}

function keyOf(method: Method, params: unknown): string {
  return `${method} ${JSON.stringify(params)}`;
}

export const queries = new QueryCache();

/**
 * An answer for a component, kept fresh while it is mounted. `params` is read reactively; `null` asks nothing. While
 * new parameters load, `data` is the answer to the old ones.
 */
export function useQuery<M extends Method>(method: M, params: () => Request<M> | null) {
  let query = $state.raw<Query<M>>();
  let before = $state.raw<Reply<M>>();
  const key = $derived(JSON.stringify(params()));
  $effect(() => {
    if (key === 'null') {
      query = undefined;
      return;
    }
    const opened = queries.open(method, JSON.parse(key) as Request<M>);
    query = opened;
    return () => {
      before = opened.data ?? before;
      queries.release(opened);
    };
  });
  return {
    get data(): Reply<M> | undefined {
      return query === undefined ? undefined : (query.data ?? before);
    },
    get error(): ApiError | undefined {
      return query?.error;
    },
    get loading(): boolean {
      return query?.loading ?? false;
    },
    /** What is shown answers the parameters asked last. */
    get current(): boolean {
      return query?.data !== undefined;
    },
    refetch(): void {
      void query?.fetch();
    },
  };
}
