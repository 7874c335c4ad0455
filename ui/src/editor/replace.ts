import { Annotation, ChangeSet, Text } from '@codemirror/state';
import { differences } from './lines';

/** Marks a transaction that brings text from the disk, so that nobody takes it for the user's. */
export const fromDisk = Annotation.define<boolean>();

/** The editor's text of a decoded file: split at LF, CRLF and CR. */
export function textOf(content: string): Text {
  return Text.of(content.split(/\r\n?|\n/));
}

/** Small changes that turn `from` into `to`, so that caret, scroll and undo survive. */
export function changesBetween(from: Text, to: Text): ChangeSet {
  const before = from.toString();
  const after = to.toString();
  if (before === after) return ChangeSet.empty(before.length);
  const specs = differences(before, after).map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) }));
  return ChangeSet.of(specs, before.length);
}
