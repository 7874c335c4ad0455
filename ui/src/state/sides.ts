/**
 * How sides of the right pane take the focus, where they know better than their first stop: what waits for an answer
 * comes before everything else. Told by the feature that fills the side.
 */
const takers = new Map<string, () => boolean>();

/** `take` moves the focus and answers whether it could. Call the answer when the side is gone. */
export function provideFocus(side: string, take: () => boolean): () => void {
  takers.set(side, take);
  return () => {
    if (takers.get(side) === take) takers.delete(side);
  };
}

/** Lets a side take the focus as it sees fit; false when it is not there or has nowhere to put it. */
export function takeFocus(side: string): boolean {
  return takers.get(side)?.() ?? false;
}
