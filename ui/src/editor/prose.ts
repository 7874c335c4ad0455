import './prose.css';
import type { NotePort } from './note-port';
import { linkOfData } from './render';

/**
 * Puts rendered Markdown into an element; `html` must come from `renderMarkdown`, which sanitises it. Pictures of
 * the knowledge base get their address here; those of the web are named instead.
 */
export function prose(html: string, port?: Pick<NotePort, 'imageUrl'>): (element: HTMLElement) => void {
  return (element) => {
    element.innerHTML = html;
    for (const image of element.querySelectorAll<HTMLImageElement>('img.picture')) void place(image, port);
  };
}

async function place(image: HTMLImageElement, port: Pick<NotePort, 'imageUrl'> | undefined): Promise<void> {
  const link = linkOfData(image);
  const missing = () => {
    const chip = document.createElement('span');
    chip.className = 'prose-chip';
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
