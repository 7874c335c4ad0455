import type { ChangeSet, ChangeSetSummary, Decision, Hunk, HunkDecision, Operation } from '../../api/generated/commands';

/** What a tick box of an operation shows. */
export function tick(operation: Operation): boolean | 'mixed' {
  if (operation.state === 'accepted' || operation.state === 'applied') {
    return operation.hunksRejected > 0 ? 'mixed' : true;
  }
  if (operation.state !== 'undecided') return false;
  return operation.hunksAccepted > 0 ? 'mixed' : false;
}

/** Whether something of it is accepted. */
function isTaken({ state, hunksAccepted }: Operation): boolean {
  return state === 'accepted' || (state === 'undecided' && hunksAccepted > 0);
}

/** Of what would applying now write something: a link is updated with the move that it follows, or after it. */
export function readyOf(operations: readonly Operation[]): Operation[] {
  const moves = new Map(operations.map((one) => [one.id, one]));
  return operations.filter((one) => {
    const move = one.follows === null ? undefined : moves.get(one.follows);
    return isTaken(one) && (move === undefined || move.state === 'applied' || isTaken(move));
  });
}

/** Whether it still waits for the user. */
export function isOpen(operation: Operation): boolean {
  return (
    operation.state === 'undecided' ||
    operation.state === 'accepted' ||
    operation.state === 'conflict' ||
    operation.state === 'failed'
  );
}

/** Whether another operation stands for it since its conflict was resolved: it is over, and only there to be read. */
export function isSettled({ state, note }: Operation): boolean {
  return state === 'rejected' && note?.code === 'settled';
}

/** Whether its decisions can still be changed. What failed may go through once what was in its way is done. */
export function isDecidable(operation: Operation): boolean {
  const { state } = operation;
  return state === 'undecided' || state === 'accepted' || state === 'failed' || (state === 'rejected' && !isSettled(operation));
}

/** Whether what was written of it was taken back: then nothing of it is decided any more. */
export function isUndone({ state, undoneBy }: ChangeSetSummary): boolean {
  return state === 'undone' || undoneBy !== null;
}

/** A hunk's decision, where one on the whole operation counts for all its hunks. */
export function effective(hunk: Hunk, operation: Operation): HunkDecision {
  if (operation.state === 'rejected') return 'rejected';
  if ((operation.state === 'accepted' || operation.state === 'applied') && hunk.decision !== 'rejected')
    return 'accepted';
  return hunk.decision;
}

/** A decision on all of an operation, and what it decides for the links that follow it where it is a move. */
export function wholly(operation: Operation, decision: HunkDecision, operations: readonly Operation[]): Decision[] {
  const goesAlong = ({ state, hunksRejected }: Operation): boolean => {
    if (decision === 'accepted') return state === 'undecided' && hunksRejected === 0;
    if (decision === 'rejected') return state === 'undecided' || state === 'accepted';
    return state === operation.state;
  };
  const following = operations.filter((one) => one.follows === operation.id && isDecidable(one) && goesAlong(one));
  return [operation, ...following].map(({ id }) => ({ operationId: id, hunk: null, decision }));
}

/** The operation a review opens at: the first that nobody has decided, else the first. */
export function firstToReview({ operations }: ChangeSet): Operation | undefined {
  return (
    operations.find(({ state, hunks, hunksAccepted, hunksRejected }) => {
      return state === 'undecided' && (hunks === 0 || hunksAccepted + hunksRejected < hunks);
    }) ??
    operations.find(isOpen) ??
    operations[0]
  );
}

/** The operations as they are listed: those that follow a move stand below it. */
export function ordered(operations: readonly Operation[]): Operation[] {
  const known = new Set(operations.map(({ id }) => id));
  const following = new Map<number, Operation[]>();
  for (const operation of operations) {
    const { follows } = operation;
    if (follows === null || !known.has(follows)) continue;
    following.set(follows, [...(following.get(follows) ?? []), operation]);
  }
  if (following.size === 0) return [...operations];
  return operations.flatMap((operation) => {
    if (operation.follows !== null && known.has(operation.follows)) return [];
    return [operation, ...(following.get(operation.id) ?? [])];
  });
}

/** Whether what was rejected of it can only come back as a new proposal: decisions on the old one are over. */
export function canAskAgain(operation: Operation, waiting: number): boolean {
  if (operation.state === 'applied') return operation.hunksRejected > 0;
  return operation.state === 'rejected' && !isSettled(operation) && waiting === 0;
}
