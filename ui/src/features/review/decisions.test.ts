import { describe, expect, it } from 'vitest';
import type { ChangeSet, ChangeSetSummary, Hunk, Operation } from '../../api/generated/commands';
import { canAskAgain, effective, firstToReview, isDecidable, isUndone, readyOf, tick, wholly } from './decisions';

function operation(change: Partial<Operation> = {}): Operation {
  return {
    id: 1,
    changeSetId: 1,
    kind: 'edit',
    place: { kbId: 1, path: 'a.md' },
    target: null,
    fileId: null,
    state: 'undecided',
    added: 1,
    removed: 1,
    hunks: 3,
    hunksAccepted: 0,
    hunksRejected: 0,
    sizes: null,
    contents: null,
    follows: null,
    comments: [],
    warnings: [],
    note: null,
    ...change,
  };
}

describe('decisions', () => {
  it('ticks, half ticks and leaves blank', () => {
    expect(tick(operation())).toBe(false);
    expect(tick(operation({ hunksAccepted: 1 }))).toBe('mixed');
    expect(tick(operation({ state: 'accepted' }))).toBe(true);
    expect(tick(operation({ state: 'accepted', hunksRejected: 1 }))).toBe('mixed');
    expect(tick(operation({ state: 'conflict', hunksAccepted: 3 }))).toBe(false);
  });

  it('is ready when something of it would be written', () => {
    const ready = (...operations: Operation[]) => readyOf(operations).map(({ id }) => id);
    expect(ready(operation({ id: 1, hunksAccepted: 1 }))).toEqual([1]);
    expect(ready(operation({ hunksRejected: 3 }), operation({ state: 'applied' }))).toEqual([]);
  });

  it('is not ready as a link whose move is not', () => {
    const ready = (...operations: Operation[]) => readyOf(operations).map(({ id }) => id);
    const link = operation({ id: 2, follows: 1, state: 'accepted' });
    expect(ready(operation({ id: 1 }), link)).toEqual([]);
    expect(ready(operation({ id: 1, state: 'accepted' }), link)).toEqual([1, 2]);
    expect(ready(operation({ id: 1, state: 'applied' }), link)).toEqual([2]);
  });

  it('has nothing to decide on what another operation stands for', () => {
    const settled = operation({ state: 'rejected', note: { code: 'settled', detail: '' } });
    expect([isDecidable(settled), canAskAgain(settled, 0)]).toEqual([false, false]);
    const rejected = operation({ state: 'rejected' });
    expect([isDecidable(rejected), canAskAgain(rejected, 0)]).toEqual([true, true]);
  });

  it('lets what failed be tried again, and leaves what is done', () => {
    expect(isDecidable(operation({ state: 'failed' }))).toBe(true);
    expect(isDecidable(operation({ state: 'applied' }))).toBe(false);
  });

  it('knows what was taken back', () => {
    const set = { state: 'applied', undoneBy: null } as ChangeSetSummary;
    expect(isUndone(set)).toBe(false);
    expect(isUndone({ ...set, state: 'undone' })).toBe(true);
    expect(isUndone({ ...set, undoneBy: 2 })).toBe(true);
  });

  it('lets the operation speak for its hunks', () => {
    const hunk: Hunk = {
      index: 0,
      decision: 'undecided',
      old: { start: 1, end: 1 },
      new: { start: 1, end: 1 },
      headingPath: [],
      rows: [],
    };
    expect(effective(hunk, operation())).toBe('undecided');
    expect(effective(hunk, operation({ state: 'accepted' }))).toBe('accepted');
    expect(effective({ ...hunk, decision: 'rejected' }, operation({ state: 'accepted' }))).toBe('rejected');
    expect(effective(hunk, operation({ state: 'rejected' }))).toBe('rejected');
  });

  it('takes links along with their move, but for those that were decided apart', () => {
    const move = operation({ id: 1, kind: 'move', hunks: 0 });
    const link = operation({ id: 2, follows: 1, hunks: 1 });
    const stays = operation({ id: 3, follows: 1, hunks: 1, state: 'rejected' });
    const partly = operation({ id: 4, follows: 1, hunksRejected: 1 });
    const done = operation({ id: 5, follows: 1, state: 'applied' });
    const other = operation({ id: 6 });
    const ids = (decision: 'accepted' | 'rejected' | 'undecided', of: Operation, all: Operation[]) =>
      wholly(of, decision, all).map(({ operationId }) => operationId);
    expect(ids('accepted', move, [move, link, stays, partly, done, other])).toEqual([1, 2]);
    expect(ids('rejected', move, [move, link, stays, partly, done, other])).toEqual([1, 2, 4]);
    const accepted = { ...move, state: 'accepted' } as const;
    expect(ids('undecided', accepted, [accepted, { ...link, state: 'accepted' }, stays, other])).toEqual([1, 2]);
    expect(ids('accepted', link, [move, link, stays])).toEqual([2]);
  });

  it('opens at what is undecided', () => {
    const decided = operation({ id: 1, hunksAccepted: 3 });
    const waiting = operation({ id: 2, hunksAccepted: 1 });
    const set = (operations: Operation[]) => ({ operations }) as ChangeSet;
    expect(firstToReview(set([decided, waiting]))?.id).toBe(2);
    expect(firstToReview(set([operation({ id: 3, state: 'applied' })]))?.id).toBe(3);
    expect(firstToReview(set([]))).toBeUndefined();
  });
});
