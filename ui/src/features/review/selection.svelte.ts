import { SvelteMap } from 'svelte/reactivity';
import { recall, remember } from '../../state/storage';

export type DiffLook = 'split' | 'unified';

/** What list and diff have in common: the operation looked at in each set, and how diffs are shown. */
class Selection {
  /** Operation by change set. */
  readonly operations = new SvelteMap<number, number>();
  /** The user's choice; without one the width decides. */
  look = $state<DiffLook | undefined>(asLook(recall('diff')));

  setLook(look: DiffLook): void {
    this.look = look;
    remember('diff', look);
  }
}

function asLook(value: unknown): DiffLook | undefined {
  return value === 'split' || value === 'unified' ? value : undefined;
}

export const selection = new Selection();
