import type { Operation } from '../api/generated/commands';
import { workspace } from './workspace.svelte';

/** What is open stays open where applied moves took it. */
export function followMoves(applied: readonly Pick<Operation, 'kind' | 'place' | 'target'>[]): void {
  for (const { kind, place, target } of applied) {
    if (kind === 'move' && target !== null) workspace.follow(place, target);
  }
}
