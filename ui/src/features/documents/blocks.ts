import type { BlockKind, BlockLink, DocumentBlock } from '../../api/generated/commands';

/** A stretch of a block's text, with the link that it is. */
export interface Piece {
  text: string;
  link?: BlockLink;
}

/** A text cut at its links; a link that overlaps the one before is left out. */
export function pieces(text: string, links: readonly BlockLink[]): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  for (const link of [...links].sort((a, b) => a.start - b.start)) {
    const end = Math.min(link.end, text.length);
    if (link.start < at || end <= link.start) continue;
    if (link.start > at) cut.push({ text: text.slice(at, link.start) });
    cut.push({ text: text.slice(link.start, end), link });
    at = end;
  }
  if (at < text.length) cut.push({ text: text.slice(at) });
  return cut;
}

export interface Cell extends Pick<DocumentBlock, 'text' | 'links'> {
  /** Columns it covers. */
  span: number;
}

/** A table as it is written in a block: a line for each row, cells apart by tabs. All rows are of one width. */
export function tableOf(text: string, links: readonly BlockLink[]): Cell[][] {
  let at = 0;
  const rows = text.split('\n').map((line) =>
    line.split('\t').map((cell): Cell => {
      const start = at;
      at += cell.length + 1;
      const within = links
        .filter((link) => link.start >= start && link.end <= start + cell.length)
        .map((link) => ({ ...link, start: link.start - start, end: link.end - start }));
      return { text: cell, links: within, span: 1 };
    }),
  );
  const width = Math.max(...rows.map((row) => row.length));
  for (const row of rows) {
    const last = row[row.length - 1];
    if (last !== undefined) last.span = width - row.length + 1;
  }
  return rows;
}

/** Level of a heading; 0 for what is none. */
export function levelOf(kind: BlockKind): number {
  return typeof kind === 'object' ? Math.max(1, Math.min(6, kind.heading.level)) : 0;
}

/** A list item that carries its own sign or number needs no other. */
export function hasMarker(text: string): boolean {
  return /^\s*(?:[•◦▪▫‣⁃–—*·●○■□➢✓-]|\(?(?:\d+|[a-z]|[ivxlc]+)[.)、．]|\d+(?:\.\d+)+\.?\s|[（(]?[一二三四五六七八九十]+[)）、.．])/iu.test(text);
}

/** The page that a link within a PDF leads to. */
export function pageOfFragment(fragment: string | null): number | undefined {
  const page = /^(?:page=)(\d+)$/.exec(fragment ?? '')?.[1];
  return page === undefined ? undefined : Number(page);
}

/** A name of column as spreadsheets give it: A … Z, AA … */
export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
