import type { ChangeSet, ChangeSetSummary, Operation } from '../../api/generated/commands';
import { ordered } from './decisions';

/** One row of the list of changes. */
export type Listed =
  | { key: string; kind: 'set'; set: ChangeSetSummary; open: boolean; earlier: boolean }
  | { key: string; kind: 'operation'; operation: Operation; set: ChangeSetSummary; below: boolean }
  | { key: string; kind: 'goal'; goal: string }
  | { key: string; kind: 'empty' }
  | { key: string; kind: 'earlier'; applied: number; rejected: number; open: boolean };

/**
 * What waits comes first, then what is over. The set in front is unfolded where it stands; one that stands nowhere,
 * since earlier ones are folded away, comes first.
 */
export function listing(
  pending: readonly ChangeSetSummary[],
  earlier: readonly ChangeSetSummary[],
  front: ChangeSet | undefined,
  showEarlier: boolean,
): Listed[] {
  const rows: Listed[] = [];
  const put = (set: ChangeSetSummary, old: boolean) => {
    const open = front?.summary.id === set.id;
    rows.push({ key: `set-${set.id}`, kind: 'set', set, open, earlier: old });
    if (!open) return;
    const known = new Set(front.operations.map(({ id }) => id));
    for (const operation of ordered(front.operations)) {
      const below = operation.follows !== null && known.has(operation.follows);
      rows.push({ key: `operation-${operation.id}`, kind: 'operation', operation, set, below });
    }
    const { provenance } = set;
    if (provenance.source === 'assistant' && provenance.goal !== '') rows.push({ key: `goal-${set.id}`, kind: 'goal', goal: provenance.goal });
  };
  const frontId = front?.summary.id;
  const shown = pending.some(({ id }) => id === frontId) || (showEarlier && earlier.some(({ id }) => id === frontId));
  if (front !== undefined && !shown) put(front.summary, false);
  for (const set of pending) put(set, false);
  if (rows.length === 0) rows.push({ key: 'empty', kind: 'empty' });
  if (earlier.length === 0) return rows;
  const applied = earlier.filter(({ state }) => state !== 'rejected').length;
  rows.push({ key: 'earlier', kind: 'earlier', applied, rejected: earlier.length - applied, open: showEarlier });
  if (showEarlier) for (const set of earlier) put(set, true);
  return rows;
}
