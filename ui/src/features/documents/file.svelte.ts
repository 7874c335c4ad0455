import { asApiError, call, type ApiError } from '../../api/client';
import { events } from '../../api/events';
import type { DocumentView, FilePlace, KeepSecret } from '../../api/generated/commands';
import { samePlace } from '../../state/place';

/** One document as a viewer opens it: what is known of it, and why it cannot be shown. */
export class DocumentFile {
  view = $state.raw<DocumentView>();
  failure = $state.raw<ApiError>();
  /** It is being read, for the first time or anew. */
  busy = $state(false);
  #asked = 0;
  /** How often it was read in another encoding: the bytes are the same. */
  #read = $state(0);

  constructor(readonly place: FilePlace) {}

  /** Changes when what is shown has to be read again: other bytes, or the same ones that open now. */
  get state(): string {
    const { view } = this;
    return view === undefined ? '' : `${view.hash}:${view.blocks}:${view.trouble?.code ?? ''}:${this.#read}`;
  }

  /** Follows the file until the answer is called. */
  follow(): () => void {
    void this.load();
    return events.listen((event) => {
      if (event.type === 'resync') void this.load();
      else if (event.type === 'fileChanged' && samePlace(event.place, this.place) && event.hash !== this.view?.hash) void this.load();
    });
  }

  load(): Promise<void> {
    return this.#take(() => call('document.open', { place: this.place }));
  }

  retry(): Promise<void> {
    return this.#take(() => call('document.retry', { place: this.place }));
  }

  /** Reads it as the user says, from now on. Troubles are thrown. */
  async chooseEncoding(encoding: string): Promise<void> {
    const asked = ++this.#asked;
    const view = await call('document.chooseEncoding', { place: this.place, encoding });
    this.#read += 1;
    if (asked === this.#asked) this.#put(view);
  }

  /** False: the password does not open it. Other troubles are thrown. */
  async unlock(password: string, keep: KeepSecret): Promise<boolean> {
    const asked = ++this.#asked;
    try {
      const view = await call('document.unlock', { place: this.place, password, keep });
      if (asked === this.#asked) this.#put(view);
      return view.trouble?.code !== 'wrongPassword';
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === 'wrongPassword') return false;
      throw error;
    }
  }

  async #take(ask: () => Promise<DocumentView>): Promise<void> {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const view = await ask();
      if (asked === this.#asked) this.#put(view);
    } catch (reason) {
      if (asked === this.#asked) this.failure = asApiError(reason);
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  #put(view: DocumentView): void {
    this.view = view;
    this.failure = undefined;
    this.busy = false;
  }
}

/** Needs a password before anything of it can be read. */
export function isLocked(view: DocumentView): boolean {
  return view.trouble?.code === 'encrypted' || view.trouble?.code === 'wrongPassword';
}

/** Pages are there to be looked at, but none has text. */
export function isPictureOnly({ pages, blocks }: Pick<DocumentView, 'pages' | 'blocks'>): boolean {
  return blocks === 0 && pages.some(({ layer }) => layer === 'absent' || layer === 'garbled');
}
