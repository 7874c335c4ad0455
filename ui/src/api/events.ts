import type { Event, Numbered } from './generated/commands';
import { theHost } from './client';

type Listener = (event: Event) => void;

/** Waits between attempts to open a broken stream again, in milliseconds; the last one repeats. */
const RETRY = [100, 400, 1000, 2000, 5000];

/**
 * The stream of events, each told once and in order. A gap in the numbers means that some were lost: the stream
 * is opened again from the last number, and the backend replays them or says `resync`.
 */
export class EventStream {
  #last = 0;
  #attempt = 0;
  #listeners = new Set<Listener>();
  #close: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection: (open: boolean) => void = () => {};

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
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#close?.();
    this.#close = undefined;
  }

  #take({ seq, event }: Numbered): void {
    if (this.#attempt > 0) {
      this.#attempt = 0;
      this.#connection(true);
    }
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
    for (const listener of this.#listeners) listener(event);
  }

  #lost(): void {
    this.#close?.();
    this.#close = undefined;
    this.#connection(false);
    const wait = RETRY[Math.min(this.#attempt, RETRY.length - 1)];
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.open(), wait);
  }
}

export const events = new EventStream();
