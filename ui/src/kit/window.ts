/** Which rows of a long list are in the document. */
export interface Span {
  first: number;
  /** Exclusive. */
  end: number;
}

/**
 * Where rows lie. Rows are of one height, some with a gap above; without gaps nothing is stored, so that a list of
 * a hundred thousand rows costs no more than a short one.
 */
export class Rows {
  readonly count: number;
  readonly height: number;
  /** Gaps above the rows up to and with each one, in CSS pixels. */
  readonly #gaps: Float64Array | undefined;

  constructor(count: number, height: number, above?: (index: number) => number) {
    this.count = count;
    this.height = height;
    if (above === undefined) return;
    const gaps = new Float64Array(count);
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      sum += above(index);
      gaps[index] = sum;
    }
    this.#gaps = gaps;
  }

  /** Of the row itself, below its gap. */
  top(index: number): number {
    return index * this.height + (this.#gaps?.[index] ?? 0);
  }

  get total(): number {
    return this.count === 0 ? 0 : this.top(this.count - 1) + this.height;
  }

  /** The row at a distance from the start; the one below it in a gap. */
  at(distance: number): number {
    if (this.#gaps === undefined) return clamp(Math.floor(distance / this.height), this.count);
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle) + this.height > distance) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low);
  }

  /** Rows that are seen, and some on both sides so that a quick scroll meets no holes; never more than `most`. */
  span(scrollTop: number, viewport: number, around = 8, most = 80): Span {
    if (this.count === 0) return { first: 0, end: 0 };
    const seen = Math.ceil(viewport / this.height) + 1;
    const spare = Math.max(0, Math.min(around, Math.floor((most - seen) / 2)));
    const first = Math.max(0, Math.min(this.count - seen, this.at(scrollTop)) - spare);
    return { first, end: Math.min(this.count, first + Math.min(most, seen + 2 * spare)) };
  }
}

/** Where to scroll so that a stretch is seen, moving as little as possible. */
export function scrollTo(top: number, height: number, scrollTop: number, viewport: number): number {
  if (top < scrollTop) return top;
  if (top + height > scrollTop + viewport) return top + height - viewport;
  return scrollTop;
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}
