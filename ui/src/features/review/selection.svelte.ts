import { SvelteMap } from 'svelte/reactivity';
import type { CommentLine, MergeChoice } from '../../api/generated/commands';
import type { DiffLook } from '../../editor/diff/items';
import { recall, remember } from '../../state/storage';

export interface CommentDraft {
  line: CommentLine;
  /** The line as it stands there; empty for the operation as a whole. */
  quote: string;
  text: string;
}

/** What list and diff have in common: the operation looked at in each set, what is being written, how diffs are shown. */
class Selection {
  /** Operation by change set. */
  readonly operations = new SvelteMap<number, number>();
  /** The user's choice; without one the width decides. */
  look = $state<DiffLook | undefined>(asLook(recall('diff')));
  /** Comments that are being written, by operation. They outlive the view. */
  readonly comments = new SvelteMap<number, CommentDraft>();
  /** Hunks that are being rewritten, by operation and hunk. */
  readonly edits = new SvelteMap<string, string>();
  /** What was chosen where two sides meet, by operation and region. */
  readonly merges = new SvelteMap<number, SvelteMap<number, MergeChoice>>();

  setLook(look: DiffLook): void {
    this.look = look;
    remember('diff', look);
  }
}

function asLook(value: unknown): DiffLook | undefined {
  return value === 'split' || value === 'unified' ? value : undefined;
}

export const selection = new Selection();
