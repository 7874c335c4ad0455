import { SvelteMap } from 'svelte/reactivity';

import type { ChangeSetId, Operation } from '../../api/generated/commands';
import { placeKey } from '../../state/place';
import { queries, type Query } from '../../state/query.svelte';

/** Sets that are looked into; what waits in older ones is in the list of changes. */
const SETS = 20;

const WAITS: readonly Operation['state'][] = ['undecided', 'accepted', 'conflict', 'failed'];

/** Files and folders that a change waits for, with the operation to be reviewed: the first one of each. */
export class Pending {
  readonly #sets = new SvelteMap<ChangeSetId, Query<'change.get'>>();
  readonly #list = queries.open('change.list', { pending: true, sessionId: null, limit: 0 });

  readonly places = $derived.by(() => {
    const places = new Map<string, Operation>();
    for (const query of this.#sets.values()) {
      for (const operation of query.data?.operations ?? []) {
        const key = placeKey(operation.place);
        if (WAITS.includes(operation.state) && !places.has(key)) places.set(key, operation);
      }
    }
    return places;
  });

  /** Looks into the sets that wait, and lets go of the others. Call it in an effect. */
  follow(): void {
    const waiting = new Set((this.#list.data ?? []).slice(0, SETS).map(({ id }) => id));
    for (const [id, query] of this.#sets) {
      if (waiting.has(id)) continue;
      this.#sets.delete(id);
      queries.release(query);
    }
    for (const changeSetId of waiting) {
      if (!this.#sets.has(changeSetId)) this.#sets.set(changeSetId, queries.open('change.get', { changeSetId }));
    }
  }

  release(): void {
    for (const query of this.#sets.values()) queries.release(query);
    this.#sets.clear();
    queries.release(this.#list);
  }
}
