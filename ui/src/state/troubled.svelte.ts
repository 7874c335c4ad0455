import { app } from './app.svelte';

/** Files that could not be read: how many there are, and whether the pane of files shows them instead of the tree. */
class Troubled {
  shown = $state(false);
  readonly count = $derived(app.knowledgeBases.reduce((sum, kb) => sum + (kb.offline ? 0 : kb.unreadable), 0));
}

export const troubled = new Troubled();
