import type { InlineContext, MarkdownConfig } from '@lezer/markdown';

/** The numbers of a citation marker at `position`: `[1]`, `[1, 2]` or the full-width `【1】`. */
export function citationMarker(source: string, position: number): { numbers: number[]; length: number } | null {
  const found =
    /^(?:\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\](?!\(|:|\[(?!\d))|【(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)】)/.exec(
      source.slice(position, position + 40),
    );
  const list = found?.[1] ?? found?.[2];
  if (!found || !list) return null;
  return { numbers: list.split(/[,，、]/).map(Number), length: found[0].length };
}

/** Markers of sources in an answer. */
export const citations: MarkdownConfig = {
  defineNodes: [{ name: 'Citation' }],
  parseInline: [
    {
      name: 'Citation',
      before: 'WikiLink',
      parse(context: InlineContext, _next, start) {
        const marker = citationMarker(context.text, start - context.offset);
        return marker ? context.addElement(context.elt('Citation', start, start + marker.length)) : -1;
      },
    },
  ],
};
