import type { ChangeSet, Text } from '@codemirror/state';
import type { Position, PositionEdit } from '../api/generated/commands';

/** Where an offset of the editor's text stands: line from 1, column in UTF-16 units from 0. */
export function positionAt(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number, column: offset - line.from };
}

/** The offset of a position, moved to the nearest place that exists. */
export function offsetAt(text: Text, position: Position): number {
  const line = text.line(Math.min(Math.max(position.line, 1), text.lines));
  return line.from + Math.min(Math.max(position.column, 0), line.length);
}

/**
 * Changes as edits of `base`, the text they start from. Lines and columns leave the file's own line
 * endings out of the picture: the editor splits at LF, CRLF and CR, as the other side does.
 */
export function positionEdits(base: Text, changes: ChangeSet): PositionEdit[] {
  const edits: PositionEdit[] = [];
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    edits.push({ from: positionAt(base, fromA), to: positionAt(base, toA), insert: inserted.toString() });
  });
  return edits;
}
