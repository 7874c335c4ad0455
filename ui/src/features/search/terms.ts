/** Operators of the search box, in the order in which they are offered. */
export const KEYS = ['tag', 'path', 'file', 'type', 'in', 'after', 'before', 'heading', 'line'] as const;
export type Key = (typeof KEYS)[number];

/** A part of a search that narrows it: where it stands in the text, and what it says. */
export interface Term {
  start: number;
  end: number;
  key: Key;
  value: string;
  not: boolean;
}

/** What is being written at the caret. */
export interface Piece {
  /** Where its value stands; of a piece without an operator, all of it. */
  start: number;
  end: number;
  /** Absent as long as no colon follows. */
  key: Key | undefined;
  value: string;
}

const isKey = (word: string): word is Key => (KEYS as readonly string[]).includes(word);

/** The pieces of a search, blanks apart; those in quotes and in parentheses hold together. */
function pieces(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/-?(?:[a-z]+:)?(?:"[^"]*"?|\([^)]*\)?|[^\s"]+|(?<=:))/gi)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The operators in a search that have a value. */
export function termsOf(text: string): Term[] {
  return pieces(text).flatMap(({ start, end }) => {
    const match = /^(-?)([a-z]+):(?:"([^"]*)"?|\(([^)]*)\)?|(.+))$/i.exec(text.slice(start, end));
    const key = match?.[2]?.toLowerCase() ?? '';
    const value = (match?.[3] ?? match?.[4] ?? match?.[5] ?? '').trim();
    return isKey(key) && value !== '' ? [{ start, end, key, value, not: match?.[1] === '-' }] : [];
  });
}

/** The search without one of its terms, and without the blank that parted it from the others. */
export function without(text: string, { start, end }: Term): string {
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  return before === '' || after === '' ? before + after : `${before} ${after}`;
}

/** The piece that ends at the caret. */
export function pieceAt(text: string, caret: number): Piece | undefined {
  const piece = pieces(text).find(({ start, end }) => start < caret && end === caret);
  if (piece === undefined) return undefined;
  const match = /^-?([a-z]+):/i.exec(text.slice(piece.start, piece.end));
  const key = match?.[1]?.toLowerCase() ?? '';
  const start = isKey(key) ? piece.start + (match?.[0].length ?? 0) : piece.start;
  return { start, end: piece.end, key: isKey(key) ? key : undefined, value: text.slice(start, piece.end).replaceAll('"', '') };
}

/** Operators that a word may be the beginning of. */
export function keysFor({ key, value }: Piece): Key[] {
  const word = value.replace(/^-/, '').toLowerCase();
  return key !== undefined || word.length < 2 ? [] : KEYS.filter((one) => one.startsWith(word));
}

/** Values that fit what is written, those that begin so before those that hold it. */
export function fitting(values: readonly string[], written: string, limit = 8): string[] {
  const sought = written.toLocaleLowerCase();
  const places = values.map((value) => ({ value, at: value.toLocaleLowerCase().indexOf(sought) }));
  return places
    .filter(({ value, at }) => at >= 0 && value.toLocaleLowerCase() !== sought)
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .slice(0, limit)
    .map(({ value }) => value);
}

/** The search with the value of a piece written out, and where the caret is then. */
export function completed(text: string, { start, end }: Piece, value: string): { text: string; caret: number } {
  const written = /[\s"()]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
  const after = text.slice(end).replace(/^\s+/, '');
  const head = `${text.slice(0, start)}${written} `;
  return { text: head + after, caret: head.length };
}
