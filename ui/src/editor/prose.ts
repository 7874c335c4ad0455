import './prose.css';
import { isOutside } from './address';
import { colourCode } from './code';
import { make } from './draw';
import type { NotePort } from './note-port';
import { linkOfData, markdownBlocks, renderMarkdown, type RenderOptions } from './render';

type Port = Pick<NotePort, 'imageUrl' | 'leads' | 'watch' | 'notYet'>;

/**
 * Puts rendered Markdown into an element. Pictures of the knowledge base get their address here; those of the web are
 * named instead. Links to nothing say so.
 */
export function prose(source: string, options: RenderOptions = {}, port?: Port): (element: HTMLElement) => (() => void) | undefined {
  return (element) => {
    const drawn = renderMarkdown(source, options);
    finish(drawn, port);
    element.replaceChildren(drawn);
    return port?.watch(() => markMissing(element, port));
  };
}

/** Markdown in an element that follows its source: what did not change stays, with its focus and its pictures. */
export class Page {
  private keys: string[] = [];
  private readonly leave: () => void;

  constructor(
    private readonly element: HTMLElement,
    private readonly port: Port,
  ) {
    this.leave = port.watch(() => markMissing(element, port));
  }

  show(source: string, options: RenderOptions): void {
    const blocks = markdownBlocks(source, options);
    const keys = blocks.map(({ key }) => key);
    const shorter = Math.min(keys.length, this.keys.length);
    let start = 0;
    while (start < shorter && keys[start] === this.keys[start]) start++;
    let same = 0;
    while (same < shorter - start && keys.at(-1 - same) === this.keys.at(-1 - same)) same++;
    const focused = this.element.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset['at']
      : undefined;

    const old = [...this.element.childNodes].slice(start, this.keys.length - same);
    const after = this.element.childNodes[this.keys.length - same] ?? null;
    const drawn = document.createDocumentFragment();
    for (const block of blocks.slice(start, keys.length - same)) drawn.append(block.draw());
    finish(drawn, this.port);
    for (const node of old) node.remove();
    this.element.insertBefore(drawn, after);
    this.keys = keys;
    if (focused !== undefined) this.element.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  }

  destroy(): void {
    this.leave();
  }
}

function finish(drawn: ParentNode, port: Port | undefined): void {
  for (const image of drawn.querySelectorAll<HTMLImageElement>('img.picture')) void place(image, port);
  for (const code of drawn.querySelectorAll<HTMLElement>('code[data-language]')) colourCode(code);
  if (port) markMissing(drawn, port);
}

/** Marks the links that lead to no file of the knowledge base. */
function markMissing(drawn: ParentNode, port: Port): void {
  for (const anchor of drawn.querySelectorAll<HTMLElement>('a[data-kind]')) {
    const link = linkOfData(anchor);
    // Those that lead out of the app say where.
    if (link === null || isOutside(link.target)) continue;
    const missing = port.leads(link) === false;
    anchor.classList.toggle('missing', missing);
    if (missing) anchor.title = port.notYet;
    else anchor.removeAttribute('title');
  }
}

async function place(image: HTMLImageElement, port: Port | undefined): Promise<void> {
  const link = linkOfData(image);
  const missing = () => {
    const chip = make('span', 'prose-chip');
    chip.textContent = link?.target ?? '';
    image.replaceWith(chip);
  };
  if (!link || !port) {
    missing();
    return;
  }
  image.addEventListener('error', missing, { once: true });
  try {
    const url = await port.imageUrl(link);
    if (url === null) missing();
    else image.src = url;
  } catch {
    missing();
  }
}
