import { type ApiError, asApiError, call, theHost } from '../api/client';
import type { KnowledgeBase } from '../api/generated/commands';
import { t } from '../messages/index.svelte';
import { app } from './app.svelte';
import { workspace } from './workspace.svelte';

/** Adding a folder as a knowledge base, from wherever it was begun. */
export class Adding {
  /** Folders are being looked through, since the host has no chooser of its own. */
  browsing = $state(false);
  /** Path or name of what is being added. */
  busy = $state<string>();
  error = $state.raw<ApiError>();
  /** Folders hover over the window. */
  dragged = $state(false);

  /** Asks for a folder: the system's chooser, or the UI's own list of folders. */
  async begin(): Promise<KnowledgeBase | undefined> {
    this.error = undefined;
    const choose = theHost().chooseFolder?.bind(theHost());
    if (!app.capabilities.nativeDialogs || choose === undefined) {
      this.browsing = true;
      return undefined;
    }
    const root = await choose(t('adding.choose'));
    return root === null ? undefined : this.add(root);
  }

  async add(root: string): Promise<KnowledgeBase | undefined> {
    return this.#do(root, async () => {
      const kb = await call('kb.add', { root, name: null });
      this.browsing = false;
      return kb;
    });
  }

  async addSample(): Promise<void> {
    await this.#do(t('adding.sample'), async () => {
      const { first } = await call('kb.addSample', {});
      workspace.openNote(first);
    });
  }

  /** Opens the guide that this run brought in, once. */
  openBroughtIn(): void {
    const { sample } = app.capabilities;
    if (sample === null || app.settings?.welcomed !== false) return;
    workspace.openNote(sample);
    // Where that cannot be kept, it is opened again.
    app.set({ welcomed: true }).catch(() => undefined);
  }

  async #do<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.busy = what;
    this.error = undefined;
    try {
      const result = await work();
      if (app.settings?.welcomed === false) await app.set({ welcomed: true });
      return result;
    } catch (reason) {
      this.error = asApiError(reason);
      return undefined;
    } finally {
      this.busy = undefined;
    }
  }

  /** Takes folders that are dropped on the window. */
  followDrops(): () => void {
    return (
      theHost().onFolderDrop?.((drop) => {
        this.dragged = drop.state === 'over';
        if (drop.state === 'dropped') void this.#addAll(drop.paths);
      }) ?? (() => {})
    );
  }

  async #addAll(paths: string[]): Promise<void> {
    for (const path of paths) {
      await this.add(path);
      if (this.error !== undefined) {
        // The reason must be seen wherever the reader is.
        if (app.knowledgeBases.length > 0) workspace.openSettings('knowledgeBases');
        return;
      }
    }
  }
}

export const adding = new Adding();
