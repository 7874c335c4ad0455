import type { Citation, Spot } from '../api/generated/commands';
import { t } from '../messages/index.svelte';

/** Where a passage stands, as its reader would say it: lines of a note, page, slide, chapter or row of a document. */
export function whereOf({ lines, spot, spotEnd }: Pick<Citation, 'lines' | 'spot' | 'spotEnd'>): string {
  if (spot === null) return lines.start === lines.end ? t('search.line', { line: lines.start }) : t('search.lines', lines);
  const start = numberOf(spot);
  if (start === undefined) return '';
  const end = (spotEnd?.kind === spot.kind ? numberOf(spotEnd) : undefined) ?? start;
  switch (spot.kind) {
    case 'page':
      return t('search.page', { start, end });
    case 'slide':
      return t('search.slide', { start, end });
    case 'chapter':
      return t('search.chapter', { start, end });
    case 'row':
      return t('search.row', { start, end });
    default:
      return '';
  }
}

function numberOf(spot: Spot): number | undefined {
  switch (spot.kind) {
    case 'page':
      return spot.page;
    case 'slide':
      return spot.slide;
    case 'chapter':
      return spot.chapter;
    case 'row':
      return spot.row;
    case 'flow':
      return undefined;
  }
}
