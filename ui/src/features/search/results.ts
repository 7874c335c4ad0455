import type { Citation, SearchGroup } from '../../api/generated/commands';

/** A line of the results: the head of a file, or one of its passages. All are of one height. */
export type Line = { kind: 'file'; group: SearchGroup; first: boolean } | { kind: 'passage'; group: SearchGroup; hit: Citation };

export function linesOf(groups: readonly SearchGroup[]): Line[] {
  return groups.flatMap((group, n): Line[] => [
    { kind: 'file', group, first: n === 0 },
    ...group.hits.map((hit): Line => ({ kind: 'passage', group, hit })),
  ]);
}

/** A snippet for one line: it begins shortly before the first mark, so that the mark is in sight. */
export function onOneLine(hit: Pick<Citation, 'snippet' | 'marks'>, lead = 36): { text: string; marks: [number, number][] } {
  const text = hit.snippet.replace(/\s/g, ' ');
  const first = hit.marks[0]?.[0] ?? 0;
  if (first <= lead) return { text, marks: hit.marks };
  let cut = first - lead;
  // At a word where there is one near, and never inside a surrogate pair.
  const space = text.indexOf(' ', cut);
  if (space >= 0 && space < first && space - cut < 16) cut = space + 1;
  else if (/[\uDC00-\uDFFF]/.test(text[cut] ?? '')) cut += 1;
  const shift = cut - 2;
  return { text: `… ${text.slice(cut)}`, marks: hit.marks.map(([start, end]) => [start - shift, end - shift]) };
}

/** The heading that a passage stands under; the others are in the tooltip. */
export function headingOf(hit: Pick<Citation, 'headingPath'>): string {
  return hit.headingPath.at(-1) ?? '';
}
