import { renderMarkdown } from '../../editor/render';
import { propertyChips } from '../../editor/widgets';

/** A note as it is read: its properties as chips, the rest as safe HTML. */
export function readingParts(text: string): { chips: string[]; html: string } {
  const front = /^---[ \t]*\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0] ?? '';
  const firstLine = front === '' ? 1 : front.split('\n').length;
  return { chips: propertyChips(front), html: renderMarkdown(text.slice(front.length), { firstLine }) };
}
