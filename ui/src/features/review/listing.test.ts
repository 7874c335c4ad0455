import { describe, expect, it } from 'vitest';
import type { ChangeSet, ChangeSetSummary, Operation } from '../../api/generated/commands';
import { listing } from './listing';

const summary = (id: number, state: ChangeSetSummary['state'] = 'pending') =>
  ({ id, state, provenance: { source: 'assistant', sessionId: 's', turnId: null, goal: 'Do it' } }) as ChangeSetSummary;
const operation = (id: number, follows: number | null = null) => ({ id, follows }) as Operation;
const front = (id: number, operations: Operation[], state?: ChangeSetSummary['state']): ChangeSet => ({ summary: summary(id, state), operations });
const keys = (...given: Parameters<typeof listing>) => listing(...given).map(({ key }) => key);

describe('the list of changes', () => {
  it('unfolds the set in front, with what follows a move below it', () => {
    const set = front(2, [operation(1), operation(2, 3), operation(3), operation(4, 3)]);
    expect(keys([summary(2), summary(1)], [], set, false)).toEqual([
      'set-2',
      'operation-1',
      'operation-3',
      'operation-2',
      'operation-4',
      'goal-2',
      'set-1',
    ]);
    expect(listing([summary(2)], [], set, false).flatMap((row) => (row.kind === 'operation' && row.below ? [row.operation.id] : []))).toEqual([2, 4]);
  });

  it('counts what is over and shows it on demand', () => {
    const earlier = [summary(5, 'applied'), summary(4, 'rejected'), summary(3, 'undone')];
    expect(listing([], earlier, undefined, false)).toEqual([
      { key: 'empty', kind: 'empty' },
      { key: 'earlier', kind: 'earlier', applied: 2, rejected: 1, open: false },
    ]);
    expect(keys([], earlier, undefined, true)).toEqual(['empty', 'earlier', 'set-5', 'set-4', 'set-3']);
  });

  it('shows a set that is over on top while it is in front, and in its place once that is unfolded', () => {
    const done = front(5, [operation(1)], 'applied');
    expect(keys([summary(6)], [summary(5, 'applied')], done, false)).toEqual(['set-5', 'operation-1', 'goal-5', 'set-6', 'earlier']);
    expect(keys([summary(6)], [summary(5, 'applied')], done, true)).toEqual(['set-6', 'earlier', 'set-5', 'operation-1', 'goal-5']);
  });
});
