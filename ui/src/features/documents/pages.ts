import type { DocumentPage, PageWord } from '../../api/generated/commands';

/** CSS pixels to a point at the real size. */
export const POINT = 96 / 72;
/** Between pages, CSS pixels. */
export const GAP = 16;

/** Where pages lie below one another at a scale, in CSS pixels. */
export class Stack {
  readonly total: number;
  readonly #tops: Float64Array;

  constructor(
    readonly pages: readonly Pick<DocumentPage, 'width' | 'height'>[],
    /** CSS pixels to a point. */
    readonly scale: number,
  ) {
    const tops = new Float64Array(pages.length + 1);
    tops[0] = GAP;
    for (let index = 0; index < pages.length; index += 1) tops[index + 1] = (tops[index] ?? 0) + this.size(index + 1).height + GAP;
    this.#tops = tops;
    this.total = tops[pages.length] ?? GAP;
  }

  /** Of a page, from 1; one that does not say is as most are. */
  size(page: number): { width: number; height: number } {
    const { width, height } = sizeOf(this.pages[page - 1]);
    return { width: width * this.scale, height: height * this.scale };
  }

  top(page: number): number {
    return this.#tops[page - 1] ?? 0;
  }

  /** The page at a height, from 1. The gap above a page is the page's. */
  at(distance: number): number {
    let low = 1;
    let high = Math.max(1, this.pages.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tops[middle] ?? 0) - GAP > distance) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export function sizeOf(page: Pick<DocumentPage, 'width' | 'height'> | undefined): { width: number; height: number } {
  return page !== undefined && page.width > 0 && page.height > 0 ? { width: page.width, height: page.height } : { width: 595, height: 842 };
}

export interface Placed {
  text: string;
  /** What stands between it and the next word when both are copied. */
  after: '' | ' ' | '\n';
  left: number;
  top: number;
  width: number;
  height: number;
  vertical: boolean;
  /** The block it belongs to, from 1; 0 where none was found. */
  block: number;
}

/** Words as they are laid over the picture of their page, in points. */
export function placed(words: readonly PageWord[]): Placed[] {
  return words.map(({ text, area, block }, index): Placed => {
    const next = words[index + 1];
    const width = Math.max(0.5, area.right - area.left);
    const height = Math.max(0.5, area.bottom - area.top);
    const vertical = [...text].length > 1 && height > 1.6 * width;
    let after: Placed['after'] = '';
    if (next !== undefined) {
      const sameLine = vertical
        ? Math.abs((next.area.left + next.area.right) / 2 - (area.left + area.right) / 2) < width / 2
        : Math.abs((next.area.top + next.area.bottom) / 2 - (area.top + area.bottom) / 2) < height / 2;
      const gap = vertical ? next.area.top - area.bottom : next.area.left - area.right;
      const touching = isWide(text.at(-1)) && isWide(next.text[0]);
      if (next.block !== block || (block === 0 && !sameLine)) after = '\n';
      else if (sameLine) after = gap < (vertical ? width : height) * 0.08 && gap > -1 ? '' : ' ';
      else after = touching ? '' : ' ';
    }
    return { text, after, left: area.left, top: area.top, width, height, vertical, block };
  });
}

/** Han, kana and their punctuation stand without blanks between them. */
function isWide(sign: string | undefined): boolean {
  return sign !== undefined && /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/.test(sign);
}
