import './prose.css';
import { isOutside } from './address';
import { colourCode } from './code';
import { make } from './draw';
import type { NotePort } from './note-port';
import { linkOfData, renderMarkdown, type RenderOptions } from './render';

export type Port = Pick<NotePort, 'imageUrl' | 'leads' | 'watch' | 'notYet'>;

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

/** Gives what was drawn its pictures, its colours and its missing links. */
export function finish(drawn: ParentNode, port: Port | undefined): void {
  for (const image of drawn.querySelectorAll<HTMLImageElement>('img.picture')) void place(image, port);
  for (const code of drawn.querySelectorAll<HTMLElement>('code[data-language]')) colourCode(code);
  if (port) markMissing(drawn, port);
}

/** Marks the links that lead to no file of the knowledge base. */
export function markMissing(drawn: ParentNode, port: Port): void {
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
