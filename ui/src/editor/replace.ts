import { diff } from '@codemirror/merge';
import { Annotation, ChangeSet, Text, type ChangeSpec } from '@codemirror/state';

/** Marks a transaction that brings text from the disk, so that nobody takes it for the user's. */
export const fromDisk = Annotation.define<boolean>();

/** Past this many characters a diff would block typing; the common ends are enough then. */
const DIFF_LIMIT = 400_000;

/** The editor's text of a decoded file: split at LF, CRLF and CR. */
export function textOf(content: string): Text {
  return Text.of(content.split(/\r\n?|\n/));
}

/** Small changes that turn `from` into `to`, so that caret, scroll and undo survive. */
export function changesBetween(from: Text, to: Text): ChangeSet {
  const before = from.toString();
  const after = to.toString();
  if (before === after) return ChangeSet.empty(before.length);
  const specs: ChangeSpec[] =
    before.length + after.length > DIFF_LIMIT
      ? [middle(before, after)]
      : diff(before, after, { scanLimit: 500, timeout: 60 }).map((change) => ({
          from: change.fromA,
          to: change.toA,
          insert: textOf(after.slice(change.fromB, change.toB)),
        }));
  return ChangeSet.of(specs, before.length);
}

function middle(before: string, after: string): ChangeSpec {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++;
  }
  return {
    from: start,
    to: before.length - end,
    insert: textOf(after.slice(start, after.length - end)),
  };
}
