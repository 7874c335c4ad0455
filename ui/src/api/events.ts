import type { Event, Numbered } from './generated/commands';
import { theHost } from './client';

type Listener = (event: Event) => void;

/** Waits between attempts to open a broken stream again, in milliseconds; the last one repeats. */
const RETRY = [100, 400, 1000, 2000, 5000];

/** A stream that held this long was a good one: when it breaks, the waits begin anew. In milliseconds. */
const HELD = 5000;

/**
 * The stream of events, each told once and in order. A gap in the numbers means that some were lost: the stream
 * is opened again from the last number, and the backend replays them or says `resync`.
 */
export class EventStream {
  #last = 0;
  #attempt = 0;
  #broken = false;
  #openedAt: number | undefined;
  #listeners = new Set<Listener>();
  #close: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection: (open: boolean) => void = () => {};
  #settle: () => void = () => {};
  /** Fulfilled once the stream is open, or cannot be opened now. */
  readonly settled = new Promise<void>((settle) => (this.#settle = settle));

  /** Told whenever the stream breaks or cannot be opened, and when it is whole again. */
  onConnection(listener: (open: boolean) => void): void {
    this.#connection = listener;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  open(): void {
    this.#close?.();
    clearTimeout(this.#timer);
    this.#close = theHost().listen(
      this.#last,
      (numbered) => this.#take(numbered),
      () => this.#lost(),
      () => this.#opened(),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#close?.();
    this.#close = undefined;
  }

  #take({ seq, event }: Numbered): void {
    this.#attempt = 0;
    this.#whole();
    if (event.type === 'resync') {
      this.#last = seq;
    } else {
      if (seq <= this.#last) return;
      if (this.#last !== 0 && seq > this.#last + 1) {
        this.open();
        return;
      }
      this.#last = seq;
    }
    this.#tell(event);
  }

  /** Nothing need happen in the backend before it is known that the stream is back. */
  #opened(): void {
    this.#openedAt = Date.now();
    // Of what was missed nothing can be asked for: no number is known to begin from.
    const missed = this.#broken && this.#last === 0;
    this.#whole();
    this.#settle();
    if (missed) this.#tell({ type: 'resync' });
  }

  #tell(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  #whole(): void {
    if (!this.#broken) return;
    this.#broken = false;
    this.#connection(true);
  }

  #lost(): void {
    this.#close?.();
    this.#close = undefined;
    if (this.#openedAt !== undefined && Date.now() - this.#openedAt > HELD) this.#attempt = 0;
    this.#openedAt = undefined;
    this.#broken = true;
    this.#settle();
    this.#connection(false);
    const wait = RETRY[Math.min(this.#attempt, RETRY.length - 1)];
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.open(), wait);
  }
}

export const events = new EventStream();
