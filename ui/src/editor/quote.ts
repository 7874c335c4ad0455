import type { Text } from '@codemirror/state';
import type { LineRange } from '../api/generated/commands';

/** Past this many characters looking for a quote would cost frames; its lines are believed then. */
const LIMIT = 2_000_000;

/** Where a passage was when it was quoted. */
export interface Quoted {
  line: number;
  endLine?: number | undefined;
  /** Its words, without the signs of Markdown. */
  quote?: string | undefined;
}

/**
 * The lines of a passage in the text as it is now. A note may have gone on since it was quoted: where the quote no
 * longer stands at its lines but elsewhere, it is there; where it stands nowhere, its lines are the best guess.
 */
export function quotedLines(text: Text, { line, endLine = line, quote }: Quoted): LineRange {
  const told = { start: line, end: endLine };
  const sought = bare(quote ?? '');
  if (sought === '' || text.length > LIMIT) return told;
  let found: LineRange | undefined;
  for (const place of places(text, sought)) {
    if (place.start <= told.end && place.end >= told.start) return told;
    if (!found || distance(place, told) < distance(found, told)) found = place;
  }
  return found ?? told;
}

/** Every place at which the bare text stands, as lines. */
function places(text: Text, sought: string): LineRange[] {
  const starts: number[] = [];
  let all = '';
  for (const line of text.iterLines()) {
    starts.push(all.length);
    all += bare(labels(line));
  }
  /** The line, from 1, of a character of `all`; the last one that begins there, since empty lines have none. */
  const lineAt = (at: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const found: LineRange[] = [];
  for (let at = all.indexOf(sought); at >= 0; at = all.indexOf(sought, at + 1)) {
    found.push({ start: lineAt(at), end: lineAt(at + sought.length - 1) });
  }
  return found;
}

/** Links as they are read: by their label. */
function labels(line: string): string {
  return line
    .replace(/\[\[(?:[^\]|\n]*\|)?([^\]\n]+)\]\]/g, '$1')
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1');
}

/** Letters and digits alone: how a text is marked up and wrapped makes no difference. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

function distance(a: LineRange, b: LineRange): number {
  return Math.abs(a.start - b.start);
}
