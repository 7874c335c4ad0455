import { SvelteMap } from 'svelte/reactivity';
import type { FilePlace, Moment, Version } from '../../api/generated/commands';
import { placeKey } from '../../state/place';

/** Two contents that are compared. */
export interface Pair {
  old: number;
  /** Absent: the file as it is now. */
  new: number | undefined;
}

/** What is compared of each file; shared by the list of versions and the view. */
class Pairs {
  readonly #chosen = new SvelteMap<string, Pair>();

  /** What was chosen, else the newest version with the file as it is. */
  of(place: FilePlace, versions: readonly Version[]): Pair | undefined {
    const chosen = this.#chosen.get(placeKey(place));
    const known = (id: number | undefined) => id === undefined || versions.some((version) => version.id === id);
    if (chosen !== undefined && known(chosen.old) && known(chosen.new)) return chosen;
    const newest = versions[0];
    return newest === undefined ? undefined : { old: newest.id, new: undefined };
  }

  choose(place: FilePlace, pair: Pair): void {
    this.#chosen.set(placeKey(place), pair);
  }
}

export const pairs = new Pairs();

export function momentOf(id: number | undefined): Moment {
  return id === undefined ? { at: 'now' } : { at: 'version', id };
}

/** The pair with its older content first, by their places in the list, which begins with the newest. */
export function inOrder(pair: Pair, versions: readonly Version[]): Pair {
  if (pair.new === undefined) return pair;
  const at = (id: number) => versions.findIndex((version) => version.id === id);
  return at(pair.old) >= at(pair.new) ? pair : { old: pair.new, new: pair.old };
}
