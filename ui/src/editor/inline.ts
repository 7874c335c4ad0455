import type { SyntaxNode } from '@lezer/common';
import { isPicture, outsideTitle, wholeAddress } from './address';
import { citationMarker } from './citations';
import { children, make } from './draw';

const STYLED = { Emphasis: 'em', StrongEmphasis: 'strong', Strikethrough: 's' } as const;

/** Schemes that would run or smuggle something in; what bears one stays text. */
const FORBIDDEN = /^\s*(javascript|vbscript|data):/i;

/** Labels of link definitions are the same whatever their case and their blanks. */
export function labelOf(written: string): string {
  return written.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Draws the text of a block: emphasis, code, links, pictures. */
export class Inline {
  constructor(
    private readonly source: string,
    private readonly definitions: ReadonlyMap<string, string>,
  ) {}

  /** Draws a part of a node's text; returns where it ended, which is later if a child reaches past `to`. */
  draw(node: SyntaxNode, into: Node, from = node.from, to = node.to): number {
    let at = from;
    for (const child of children(node)) {
      if (child.to <= at) continue;
      if (child.from >= to) break;
      this.text(into, at, child.from);
      this.child(child, into);
      at = child.to;
      if (child.name === 'QuoteMark') while (/[ \t]/.test(this.source[at] ?? '')) at++;
    }
    this.text(into, at, to);
    return Math.max(at, to);
  }

  private text(into: Node, from: number, to: number): void {
    // Blanks that begin a line belong to the block around it.
    if (to > from) into.appendChild(document.createTextNode(this.source.slice(from, to).replace(/\n[ \t]+/g, '\n')));
  }

  private child(node: SyntaxNode, into: Node): void {
    switch (node.name) {
      case 'EmphasisMark':
      case 'StrikethroughMark':
      case 'QuoteMark':
      case 'TaskMarker':
      case 'HeaderMark':
        return;
      case 'Emphasis':
      case 'StrongEmphasis':
      case 'Strikethrough': {
        const element = make(STYLED[node.name]);
        this.draw(node, element);
        into.appendChild(element);
        return;
      }
      case 'Escape':
        this.text(into, node.from + 1, node.to);
        return;
      case 'Entity':
        into.appendChild(document.createTextNode(decodeEntity(this.source.slice(node.from, node.to))));
        return;
      case 'HardBreak':
        into.appendChild(make('br'));
        into.appendChild(document.createTextNode('\n'));
        return;
      case 'InlineCode':
        this.code(node, into);
        return;
      case 'Citation':
        this.citation(node, into);
        return;
      case 'WikiLink':
      case 'WikiEmbed':
        this.wiki(node, into);
        return;
      case 'Link':
      case 'Image':
        this.link(node, into);
        return;
      case 'Autolink':
      case 'URL':
        this.address(node.getChild('URL') ?? node, into);
        return;
      default:
        this.draw(node, into);
    }
  }

  private code(node: SyntaxNode, into: Node): void {
    const [open, close] = node.getChildren('CodeMark');
    const element = make('code');
    let text = this.source.slice(open?.to ?? node.from, close?.from ?? node.to).replace(/\n[ \t>]*/g, ' ');
    if (/^ .* $/.test(text) && text.trim() !== '') text = text.slice(1, -1);
    element.textContent = node.parent?.name === 'TableCell' ? text.replaceAll('\\|', '|') : text;
    into.appendChild(element);
  }

  private citation(node: SyntaxNode, into: Node): void {
    for (const value of citationMarker(this.source, node.from)?.numbers ?? []) {
      const sign = make('button', 'cite');
      sign.type = 'button';
      sign.dataset['cite'] = String(value);
      sign.textContent = String(value);
      into.appendChild(sign);
    }
  }

  private wiki(node: SyntaxNode, into: Node): void {
    const part = (name: string) => {
      const child = node.getChild(name);
      return child ? this.source.slice(child.from, child.to).trim() : '';
    };
    const target = part('WikiTarget');
    const label = part('WikiAlias') || target;
    const kind = node.name === 'WikiEmbed' ? 'embed' : 'wiki';
    if (kind === 'embed' && isPicture(target)) into.appendChild(picture(kind, target, label));
    else {
      const element = anchor(kind, target);
      element.className = 'wiki';
      element.textContent = label;
      into.appendChild(element);
    }
  }

  private link(node: SyntaxNode, into: Node): void {
    const [open, close] = node.getChildren('LinkMark');
    const address = this.addressOf(node, open?.to ?? node.from, close?.from ?? node.to);
    if (!open || !close || address === undefined || FORBIDDEN.test(address)) {
      // Brackets that lead nowhere are brackets.
      const address = node.getChild('URL');
      if (address) this.text(into, node.from, node.to);
      else this.bare(node, into);
      return;
    }
    if (node.name === 'Image') {
      const alt = make('span');
      this.draw(node, alt, open.to, close.from);
      into.appendChild(picture('image', address, alt.textContent));
      return;
    }
    const element = anchor('inline', address);
    this.draw(node, element, open.to, close.from);
    into.appendChild(element);
  }

  /** A link's text with its brackets. */
  private bare(node: SyntaxNode, into: Node): void {
    let at = node.from;
    for (const child of children(node)) {
      if (child.name === 'LinkMark' || child.name === 'LinkLabel') continue;
      this.text(into, at, child.from);
      this.child(child, into);
      at = child.to;
    }
    this.text(into, at, node.to);
  }

  private addressOf(node: SyntaxNode, from: number, to: number): string | undefined {
    const written = node.getChild('URL');
    if (written) return this.source.slice(written.from, written.to).replace(/\\([!-/:-@[-`{-~])/g, '$1');
    const label = node.getChild('LinkLabel');
    const name = label && labelOf(this.source.slice(label.from + 1, label.to - 1));
    return this.definitions.get(name || labelOf(this.source.slice(from, to)));
  }

  private address(node: SyntaxNode, into: Node): void {
    const written = this.source.slice(node.from, node.to);
    if (FORBIDDEN.test(written)) {
      this.text(into, node.from, node.to);
      return;
    }
    const element = anchor('inline', wholeAddress(written));
    element.textContent = written;
    into.appendChild(element);
  }
}

function anchor(kind: 'inline' | 'wiki' | 'embed', target: string): HTMLAnchorElement {
  const element = make('a');
  element.setAttribute('href', '#');
  element.dataset['kind'] = kind;
  element.dataset['target'] = target;
  const title = outsideTitle(target);
  if (title !== null) element.title = title;
  return element;
}

/** Names its target only; the view gives those of the knowledge base an address. */
function picture(kind: 'image' | 'embed', target: string, alt: string): HTMLImageElement {
  const image = make('img', 'picture');
  image.dataset['kind'] = kind;
  image.dataset['target'] = target;
  image.alt = alt;
  return image;
}

/** One entity, such as `&amp;`, as its sign. */
function decodeEntity(entity: string): string {
  // The parser hands on only what has the form of an entity, and a text area reads no tags.
  const reader = document.createElement('textarea');
  reader.innerHTML = entity;
  return reader.value;
}
