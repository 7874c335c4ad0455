/**
 * Where rows of different heights lie. A height is a guess until its row was drawn; a correction costs no more than
 * the depth of a tree, however many rows there are.
 */
export class Heights {
  readonly #heights: Float64Array;
  /** Fenwick tree over the heights, from 1. */
  readonly #sums: Float64Array;
  readonly #top: number;

  constructor(heights: Float64Array) {
    const count = heights.length;
    this.#heights = heights;
    this.#sums = new Float64Array(count + 1);
    for (let at = 1; at <= count; at += 1) {
      this.#sums[at] = (this.#sums[at] ?? 0) + (heights[at - 1] ?? 0);
      const up = at + (at & -at);
      if (up <= count) this.#sums[up] = (this.#sums[up] ?? 0) + (this.#sums[at] ?? 0);
    }
    this.#top = count === 0 ? 0 : 2 ** Math.floor(Math.log2(count));
  }

  get count(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.top(this.count);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Of the row, from the start; of `count`, the end of the last one. */
  top(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.count); at > 0; at -= at & -at) sum += this.#sums[at] ?? 0;
    return sum;
  }

  /** Corrects a height, and says by how much it was wrong. */
  set(index: number, height: number): number {
    const difference = height - (this.#heights[index] ?? 0);
    if (index < 0 || index >= this.count || difference === 0) return 0;
    this.#heights[index] = height;
    for (let at = index + 1; at <= this.count; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + difference;
    return difference;
  }

  /** The row at a distance from the start. */
  at(distance: number): number {
    let index = 0;
    let left = distance;
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = index + step;
      const sum = this.#sums[next];
      if (next <= this.count && sum !== undefined && sum <= left) {
        index = next;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}
