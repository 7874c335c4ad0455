import type { Citation, Spot } from '../api/generated/commands';
import { t } from '../messages/index.svelte';

/** Where a passage stands, as its reader would say it: lines of a note, page, slide, chapter or row of a document. */
export function whereOf({ lines, spot, spotEnd }: Pick<Citation, 'lines' | 'spot' | 'spotEnd'>): string {
  if (spot === null) return lines.start === lines.end ? t('search.line', { line: lines.start }) : t('search.lines', lines);
  const start = numberOf(spot);
  const end = spotEnd?.kind === spot.kind ? numberOf(spotEnd) : start;
  switch (spot.kind) {
    case 'page':
      return t('search.page', { start, end });
    case 'slide':
      return t('search.slide', { start, end });
    case 'chapter':
      return t('search.chapter', { start, end });
    case 'row':
      return t('search.row', { start, end });
    case 'flow':
      return '';
  }
}

/** The page, slide, chapter or sheet; 0 in what flows. */
export function partOf(spot: Spot): number {
  switch (spot.kind) {
    case 'page':
      return spot.page;
    case 'slide':
      return spot.slide;
    case 'chapter':
      return spot.chapter;
    case 'row':
      return spot.sheet;
    case 'flow':
      return 0;
  }
}

/** As the part, but of a sheet the row. */
function numberOf(spot: Spot): number {
  return spot.kind === 'row' ? spot.row : partOf(spot);
}
