import type { DiffRow, Hunk } from '../../api/generated/commands';

/** One line of the side-by-side view; a side is absent where the line does not exist. */
export interface SplitRow {
  left: DiffRow | null;
  right: DiffRow | null;
}

/** Pairs removed lines with the added ones that follow them. */
export function splitRows(rows: readonly DiffRow[]): SplitRow[] {
  const paired: SplitRow[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at] as DiffRow;
    if (row.sign === 'same') {
      paired.push({ left: row, right: row });
      at++;
      continue;
    }
    const removed = runOf(rows, at, 'removed');
    const added = runOf(rows, at + removed.length, 'added');
    for (let line = 0; line < Math.max(removed.length, added.length); line++) {
      paired.push({ left: removed[line] ?? null, right: added[line] ?? null });
    }
    at += removed.length + added.length;
  }
  return paired;
}

function runOf(rows: readonly DiffRow[], start: number, sign: DiffRow['sign']): DiffRow[] {
  let end = start;
  while (rows[end]?.sign === sign) end++;
  return rows.slice(start, end);
}

export interface Piece {
  text: string;
  marked: boolean;
}

/** Cuts a line at its word marks. */
export function pieces({ text, marks }: Pick<DiffRow, 'text' | 'marks'>): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from > at) cut.push({ text: text.slice(at, from), marked: false });
    if (to > from) cut.push({ text: text.slice(from, to), marked: true });
    at = Math.max(at, to);
  }
  if (at < text.length) cut.push({ text: text.slice(at), marked: false });
  return cut;
}

/** Unchanged lines before each hunk and after the last: one number more than there are hunks. */
export function gaps({ hunks, oldLines, newLines }: { hunks: readonly Hunk[]; oldLines: number; newLines: number }): number[] {
  const found: number[] = [];
  let old = 0;
  let fresh = 0;
  for (const hunk of hunks) {
    found.push(Math.max(0, Math.min(hunk.old.start - 1 - old, hunk.new.start - 1 - fresh)));
    old = Math.max(hunk.old.end, hunk.old.start - 1);
    fresh = Math.max(hunk.new.end, hunk.new.start - 1);
  }
  found.push(Math.max(0, Math.min(oldLines - old, newLines - fresh)));
  return found;
}

/** The next hunk without a decision after `index`, else the first one, else none. */
export function nextUndecided(hunks: readonly Hunk[], index: number): number | null {
  const after = hunks.findIndex((hunk, at) => at > index && hunk.decision === 'undecided');
  if (after >= 0) return after;
  const first = hunks.findIndex((hunk) => hunk.decision === 'undecided');
  return first >= 0 ? first : null;
}
