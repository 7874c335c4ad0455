import type { ChangeSet, Comment, CommentLine, DiffRow, Hunk, Operation } from '../../api/generated/commands';

/** Comments that the assistant has not been sent yet. */
export function unsent({ operations }: ChangeSet): Comment[] {
  return operations.flatMap(({ comments }) => comments.filter(({ sentAt }) => sentAt === null));
}

/** The line that a comment on a row is kept at: what is proposed, else what goes. */
export function lineOf(row: DiffRow): CommentLine {
  if (row.newLine !== null) return { side: 'new', line: row.newLine };
  return row.oldLine === null ? { side: 'operation' } : { side: 'old', line: row.oldLine };
}

export function standsAt(line: CommentLine, row: DiffRow): boolean {
  if (line.side === 'new') return row.newLine === line.line;
  // An unchanged line is on both sides, and its comments are kept at the new one.
  return line.side === 'old' && row.sign === 'removed' && row.oldLine === line.line;
}

/** Comments on the operation as a whole, and those whose line is no longer among the hunks. */
export function apart(operation: Operation, hunks: readonly Hunk[]): Comment[] {
  if (operation.comments.length === 0) return [];
  const rows = hunks.flatMap(({ rows }) => rows);
  return operation.comments.filter(({ line }) => !rows.some((row) => standsAt(line, row)));
}

/** The row of a hunk that a comment is about unless another one was pointed at: its last change. */
export function lastChange({ rows }: Hunk): number {
  const added = rows.findLastIndex(({ sign }) => sign === 'added');
  if (added >= 0) return added;
  const removed = rows.findLastIndex(({ sign }) => sign === 'removed');
  return removed >= 0 ? removed : rows.length - 1;
}

/** The new lines of a hunk from its first change to its last, as they are written by hand. */
export function proposedText({ rows }: Hunk): string {
  const changes = (row: DiffRow) => row.sign !== 'same';
  return rows
    .slice(rows.findIndex(changes), rows.findLastIndex(changes) + 1)
    .filter(({ sign }) => sign !== 'removed')
    .map(({ text }) => text)
    .join('\n');
}

/** The number that the first of those lines has or will have. */
export function firstProposed({ rows, new: fresh }: Hunk): number {
  const first = rows.findIndex(({ sign }) => sign !== 'same');
  return fresh.start + Math.max(0, first);
}
