import type { PartialParse, SyntaxNode, Tree } from '@lezer/common';
import { parser, type MarkdownConfig } from '@lezer/markdown';
import { decodeAddress, isOutside, splitFragment } from './address';
import { citations } from './citations';
import { children, make } from './draw';
import { Inline, labelOf } from './inline';
import type { WrittenLink } from './note-port';
import { dialect } from './syntax';
import { drawTable } from './table';

export interface RenderOptions {
  /** Reads `[n]` as a citation. */
  citations?: boolean;
  /** Writes the source line of each block into `data-line`, counted from this number. */
  firstLine?: number;
  /** Task boxes can be ticked; where each stands in the source is in its `data-at`. */
  ticks?: boolean;
}

/** A block of the outermost level. Two with the same key draw the same. */
export interface Block {
  key: string;
  draw(): Node;
}

// Tags are text here, and what stands between them is Markdown like everywhere.
const plain: MarkdownConfig = { remove: ['HTMLBlock'] };
const notes = parser.configure([dialect, plain]);
const answers = notes.configure([citations]);

/** Parts Markdown into its blocks, each drawn when it is asked for. */
export function markdownBlocks(source: string, options: RenderOptions = {}): Block[] {
  return blocksOf((options.citations === true ? answers : notes).parse(source), source, options);
}

/** The same for a long source, a slice at a time. */
export class SlowBlocks {
  readonly #parse: PartialParse;

  constructor(
    private readonly source: string,
    private readonly options: RenderOptions,
  ) {
    this.#parse = notes.startParse(source);
  }

  /** Goes on until a time of `performance.now()`; the blocks, once it has got to the end. */
  step(until: number): Block[] | undefined {
    for (;;) {
      const tree = this.#parse.advance();
      if (tree !== null) return blocksOf(tree, this.source, this.options);
      if (performance.now() >= until) return undefined;
    }
  }
}

function blocksOf({ topNode }: Tree, source: string, options: RenderOptions): Block[] {
  const definitions = new Map<string, string>();
  for (const node of topNode.getChildren('LinkReference')) define(source, node, definitions);
  const known = [...definitions].join('\n');
  const drawing = new Drawing(source, options, definitions);
  return children(topNode)
    .filter(({ name }) => name !== 'LinkReference' && name !== 'FrontMatter')
    .map((node) => ({
      key: `${node.from} ${known} ${source.slice(node.from, node.to)}`,
      draw: () => drawing.block(node),
    }));
}

/** Markdown as elements that load nothing and run nothing: no text of the source is ever read as HTML. */
export function renderMarkdown(source: string, options: RenderOptions = {}): DocumentFragment {
  const whole = document.createDocumentFragment();
  for (const block of markdownBlocks(source, options)) whole.append(block.draw());
  return whole;
}

function define(source: string, node: SyntaxNode, definitions: Map<string, string>): void {
  const label = node.getChild('LinkLabel');
  const address = node.getChild('URL');
  if (!label || !address) return;
  const name = labelOf(source.slice(label.from + 1, label.to - 1));
  if (!definitions.has(name)) definitions.set(name, source.slice(address.from, address.to));
}

class Drawing {
  private readonly inline: Inline;
  private readonly lineStarts: number[] = [];

  constructor(
    private readonly source: string,
    private readonly options: RenderOptions,
    definitions: ReadonlyMap<string, string>,
  ) {
    this.inline = new Inline(source, definitions);
    if (options.firstLine === undefined) return;
    for (let at = 0; at >= 0; at = source.indexOf('\n', at) + 1 || -1) this.lineStarts.push(at);
  }

  block(node: SyntaxNode): Node {
    switch (node.name) {
      case 'ATXHeading1':
      case 'ATXHeading2':
      case 'ATXHeading3':
      case 'ATXHeading4':
      case 'ATXHeading5':
      case 'ATXHeading6':
      case 'SetextHeading1':
      case 'SetextHeading2':
        return this.heading(node);
      case 'Blockquote':
        return this.quote(node);
      case 'BulletList':
      case 'OrderedList':
        return this.list(node);
      case 'FencedCode':
      case 'CodeBlock':
        return this.code(node);
      case 'HorizontalRule':
        return this.marked(make('hr'), node);
      case 'Table':
        return drawTable(this.source, node, this.inline, (row, at) => this.marked(row, at));
      default: {
        const paragraph = this.marked(make('p'), node);
        this.inline.draw(node, paragraph);
        return paragraph;
      }
    }
  }

  private marked<E extends HTMLElement>(element: E, { from }: SyntaxNode): E {
    const { firstLine } = this.options;
    if (firstLine === undefined) return element;
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= from) low = middle;
      else high = middle - 1;
    }
    element.dataset['line'] = String(low + firstLine);
    return element;
  }

  private heading(node: SyntaxNode): HTMLElement {
    const element = this.marked(make(`h${node.name.at(-1)}` as 'h1'), node);
    const [mark, closing] = node.getChildren('HeaderMark');
    const setext = node.name.startsWith('Setext');
    const from = setext || !mark ? node.from : mark.to;
    const to = (setext ? mark : closing)?.from ?? node.to;
    const text = this.source.slice(from, to);
    this.inline.draw(node, element, from + text.length - text.trimStart().length, from + text.trimEnd().length);
    return element;
  }

  private quote(node: SyntaxNode): HTMLElement {
    const element = make('blockquote');
    const blocks = children(node).filter(({ name }) => name !== 'QuoteMark');
    const first = blocks[0];
    const label = first?.name === 'Paragraph' ? /^\[!([\w-]+)\][ \t]*/.exec(this.source.slice(first.from, first.to)) : null;
    if (first && label?.[1] !== undefined) {
      element.className = `callout callout-${label[1].toLowerCase()}`;
      element.append(this.calloutTitle(first, label[1], label[0].length));
      blocks.shift();
    }
    for (const block of blocks) element.append(this.block(block));
    return element;
  }

  /** The first paragraph of a callout: its first line, or else the kind, is the title. */
  private calloutTitle(node: SyntaxNode, kind: string, length: number): HTMLElement {
    const paragraph = this.marked(make('p'), node);
    const title = make('strong');
    const newline = this.source.indexOf('\n', node.from);
    const end = newline < 0 || newline > node.to ? node.to : newline;
    const start = node.from + length;
    let at = end;
    if (this.source.slice(start, end).trim() === '') title.append(kind);
    else at = this.inline.draw(node, title, start, end);
    paragraph.append(title);
    if (end < node.to) {
      paragraph.append(make('br'));
      this.inline.draw(node, paragraph, Math.max(at, end + 1), node.to);
    }
    return paragraph;
  }

  private list(node: SyntaxNode): HTMLElement {
    const ordered = node.name === 'OrderedList';
    const list = make(ordered ? 'ol' : 'ul');
    const items = node.getChildren('ListItem');
    const mark = items[0]?.getChild('ListMark');
    const start = mark ? parseInt(this.source.slice(mark.from, mark.to), 10) : 1;
    if (ordered && start !== 1) (list as HTMLOListElement).start = start;
    const loose = items.some((item) => this.apart(item) || this.parted(item, item.nextSibling));
    for (const item of items) list.append(this.item(item, loose));
    return list;
  }

  private item(node: SyntaxNode, loose: boolean): HTMLElement {
    const item = this.marked(make('li'), node);
    for (const block of children(node)) {
      if (block.name === 'ListMark' || block.name === 'QuoteMark' || block.name === 'LinkReference') continue;
      const holder = loose && (block.name === 'Paragraph' || block.name === 'Task') ? this.marked(make('p'), block) : item;
      if (block.name === 'Task') this.task(block, item, holder);
      else if (block.name === 'Paragraph') this.inline.draw(block, holder);
      else item.append(this.block(block));
      if (holder !== item) item.append(holder);
    }
    return item;
  }

  private task(node: SyntaxNode, item: HTMLElement, holder: HTMLElement): void {
    const marker = node.getChild('TaskMarker');
    if (!marker) return;
    const done = this.source[marker.from + 1] !== ' ';
    item.className = done ? 'task task-done' : 'task';
    const box = make('input', 'task-box');
    box.type = 'checkbox';
    box.defaultChecked = done;
    box.disabled = this.options.ticks !== true;
    if (this.options.ticks === true) box.dataset['at'] = String(marker.from);
    const text = make('span', 'task-text');
    const blank = /^\s*/.exec(this.source.slice(marker.to, node.to))?.[0].length ?? 0;
    this.inline.draw(node, text, marker.to + blank, node.to);
    // A box is named by what it ticks off, or it would be one of many that sound the same.
    box.setAttribute('aria-label', text.textContent.replace(/\s+/g, ' '));
    holder.append(box, text);
  }

  /** Blank lines between the blocks of an item part them into paragraphs. */
  private apart(item: SyntaxNode): boolean {
    const blocks = children(item).filter(({ name }) => name !== 'ListMark' && name !== 'QuoteMark');
    return blocks.some((block, index) => this.parted(block, blocks[index + 1] ?? null));
  }

  private parted(block: SyntaxNode, next: SyntaxNode | null): boolean {
    return next !== null && /\n[ \t>]*\n/.test(this.source.slice(block.to, next.from));
  }

  private code(node: SyntaxNode): HTMLElement {
    const frame = this.marked(make('pre'), node);
    const code = make('code');
    const info = node.getChild('CodeInfo');
    const language = info && /^\S+/.exec(this.source.slice(info.from, info.to))?.[0];
    if (language) code.dataset['language'] = language;
    const text = node.getChildren('CodeText').map(({ from, to }) => this.source.slice(from, to));
    code.textContent = text.join('').replace(/\n?$/, '\n');
    frame.append(code);
    return frame;
  }
}

/** The link that an element of rendered Markdown stands for. */
export function linkOfElement(element: Element): WrittenLink | null {
  const holder = element.closest<HTMLElement>('a[data-kind]');
  return holder ? linkOfData(holder) : null;
}

/** The link written into an element's data. */
export function linkOfData(element: HTMLElement): WrittenLink | null {
  const { kind, target } = element.dataset;
  if (target === undefined) return null;
  if (kind === 'wiki' || kind === 'embed') return { kind, ...splitFragment(target) };
  const written = decodeAddress(target);
  const place = isOutside(written) ? { target: written, fragment: null } : splitFragment(written);
  return { kind: kind === 'image' ? 'image' : 'inline', ...place };
}
