import type { Citation, SearchGroup } from '../../api/generated/commands';

/** A line of the results: the head of a file, or one of its passages. All are of one height. */
export type Line = { kind: 'file'; group: SearchGroup; first: boolean } | { kind: 'passage'; group: SearchGroup; hit: Citation };

export function linesOf(groups: readonly SearchGroup[]): Line[] {
  return groups.flatMap((group, n): Line[] => [
    { kind: 'file', group, first: n === 0 },
    ...group.hits.map((hit): Line => ({ kind: 'passage', group, hit })),
  ]);
}

/** Where a line stands among others now; gone: -1. */
export function lineAmong(lines: readonly Line[], sought: Line | undefined): number {
  if (sought === undefined) return -1;
  return lines.findIndex((line) => {
    if (line.kind !== sought.kind || line.group.fileId !== sought.group.fileId) return false;
    return line.kind === 'file' || sought.kind === 'file' || samePassage(line.hit, sought.hit);
  });
}

function samePassage(one: Citation, other: Citation): boolean {
  return one.lines.start === other.lines.start && one.blocks?.[0] === other.blocks?.[0];
}

type Passage = Pick<Citation, 'snippet' | 'marks' | 'headingPath'>;

/** A snippet for one line: it begins shortly before the first mark, so that the mark is in sight. */
export function onOneLine(hit: Passage, lead = 36): { text: string; marks: [number, number][] } {
  const text = hit.snippet.replace(/\s/g, ' ');
  const first = hit.marks[0]?.[0] ?? 0;
  if (first <= lead) return withoutHeading(text, hit);
  let cut = first - lead;
  // At a word where there is one near, and never inside a surrogate pair.
  const space = text.indexOf(' ', cut);
  if (space >= 0 && space < first && space - cut < 16) cut = space + 1;
  else if (/[\uDC00-\uDFFF]/.test(text[cut] ?? '')) cut += 1;
  const shift = cut - 2;
  return { text: `… ${text.slice(cut)}`, marks: hit.marks.map(([start, end]) => [start - shift, end - shift]) };
}

/** A passage begins with its heading, which stands beside it already. Where only the heading was found, it stays. */
function withoutHeading(text: string, { marks, headingPath }: Passage): { text: string; marks: [number, number][] } {
  const heading = `${headingPath.at(-1) ?? ''} `;
  const cut = heading.length;
  const repeats = cut > 1 && text.startsWith(heading) && text.length > cut;
  const below = marks.filter(([start]) => start >= cut);
  if (!repeats || (below.length === 0 && marks.length > 0)) return { text, marks };
  return { text: text.slice(cut), marks: below.map(([start, end]) => [start - cut, end - cut]) };
}

/** What of a passage was searched for, each word once. */
export function wordsOf({ snippet, marks }: Pick<Citation, 'snippet' | 'marks'>): string[] {
  return [...new Set(marks.map(([start, end]) => snippet.slice(start, end)))];
}

/** The heading that a passage stands under; the others are in the tooltip. */
export function headingOf(hit: Pick<Citation, 'headingPath'>): string {
  return hit.headingPath.at(-1) ?? '';
}
