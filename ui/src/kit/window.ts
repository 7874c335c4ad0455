/** Which rows of a long list are in the document. Rows are of one height. */
export interface Span {
  first: number;
  /** Exclusive. */
  end: number;
}

/** Rows that are seen, and some on both sides so that a quick scroll meets no holes; never more than `most`. */
export function visibleSpan(scrollTop: number, height: number, row: number, count: number, around = 8, most = 80): Span {
  if (row <= 0 || count === 0) return { first: 0, end: 0 };
  const seen = Math.ceil(height / row) + 1;
  const spare = Math.max(0, Math.min(around, Math.floor((most - seen) / 2)));
  const first = Math.max(0, Math.min(count - seen, Math.floor(scrollTop / row)) - spare);
  return { first, end: Math.min(count, first + Math.min(most, seen + 2 * spare)) };
}

/** Where to scroll so that a row is seen, moving as little as possible. */
export function scrollToRow(index: number, scrollTop: number, height: number, row: number): number {
  const top = index * row;
  if (top < scrollTop) return top;
  if (top + row > scrollTop + height) return top + row - height;
  return scrollTop;
}
