import type { SyntaxNode } from '@lezer/common';
import { children, make } from './draw';
import type { Inline } from './inline';

const ALIGNMENTS = [
  [/^:-*:$/, 'center'],
  [/-:$/, 'right'],
  [/^:-/, 'left'],
] as const;

/** A table; `marked` is told of every row. */
export function drawTable(
  source: string,
  node: SyntaxNode,
  inline: Inline,
  marked: (row: HTMLElement, at: SyntaxNode) => HTMLElement,
): HTMLElement {
  const table = make('table');
  const rule = node.getChild('TableDelimiter');
  const alignments = (rule ? source.slice(rule.from, rule.to) : '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => ALIGNMENTS.find(([sign]) => sign.test(cell.trim()))?.[1]);

  const row = (at: SyntaxNode, tag: 'th' | 'td') => {
    const element = marked(make('tr'), at);
    const cells = cellsOf(at);
    for (const [column, alignment] of alignments.entries()) {
      const cell = make(tag);
      if (alignment !== undefined) cell.style.textAlign = alignment;
      const content = cells[column];
      if (content) inline.draw(content, cell);
      element.append(cell);
    }
    return element;
  };

  const head = node.getChild('TableHeader');
  if (head) {
    const section = make('thead');
    section.append(row(head, 'th'));
    table.append(section);
  }
  const rows = node.getChildren('TableRow');
  if (rows.length > 0) {
    const section = make('tbody');
    section.append(...rows.map((at) => row(at, 'td')));
    table.append(section);
  }
  return table;
}

/** Cells of a row. An empty one has no node: it is known by the bars around it. */
function cellsOf(row: SyntaxNode): (SyntaxNode | null)[] {
  const cells: (SyntaxNode | null)[] = [];
  let cell: SyntaxNode | null = null;
  let first = true;
  for (const child of children(row)) {
    if (child.name !== 'TableDelimiter') {
      cell = child;
      continue;
    }
    if (!first || cell) cells.push(cell);
    first = false;
    cell = null;
  }
  if (cell) cells.push(cell);
  return cells;
}
