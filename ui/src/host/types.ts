import type { Numbered } from '../api/generated/commands';

/** The way to the backend. Two of them exist, and nothing above `api/` knows which one is in use. */
export interface Host {
  /**
   * One call of the API. Rejects with a `WireError` where the backend answered with one. `signal` says that nobody
   * waits for the answer any more; a host that cannot take a call back lets it run to its end.
   */
  call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>;
  /**
   * Events after `since`; 0 means from now on. `opened` is called when the backend gives them, though there may be
   * none yet, and `lost` when the stream broke and must be opened again.
   */
  listen(since: number, each: (event: Numbered) => void, lost: () => void, opened: () => void): () => void;
  /** Address of bytes that the backend gives out: `file/<knowledge base>/<path>`. */
  blobUrl(path: string): string;
  /** The system's own folder chooser; absent where there is none. */
  chooseFolder?(title: string): Promise<string | null>;
  /** Folders dropped on the window, as absolute paths; absent where a host cannot know them. */
  onFolderDrop?(each: (state: FolderDrop) => void): () => void;
  /** Told whenever the window is looked at again after it was not. */
  onFocus(each: () => void): () => void;
  /** Opens a web address outside the app. */
  openOutside(url: string): Promise<void>;
  /**
   * Lets work finish before the window closes. `unsaved` answers whether leaving now would lose text; `finish` saves
   * what it can and answers whether the window may close.
   */
  onClose(unsaved: () => boolean, finish: () => Promise<boolean>): () => void;
}

export type FolderDrop = { state: 'over' } | { state: 'left' } | { state: 'dropped'; paths: string[] };
