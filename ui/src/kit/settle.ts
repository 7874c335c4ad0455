/** Frames for which what comes into sight may still get its real height. */
const FRAMES = 60;
/** Frames without a change after which it stays. */
const CALM = 3;

/**
 * Scrolls a target to a share of the height, until it stays there: blocks that come into sight get their real height
 * in the frames after, and move it. The answer ends it, for a reader who goes on.
 */
export function settle(scroller: HTMLElement, target: () => Element | Range | null | undefined, share: number): () => void {
  let frame = 0;
  let calm = 0;
  let frames = FRAMES;
  const go = () => {
    const to = target();
    if (to == null || !scroller.isConnected) return;
    const before = scroller.scrollTop;
    scroller.scrollTop += to.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight * share;
    calm = Math.abs(scroller.scrollTop - before) < 1 ? calm + 1 : 0;
    frames -= 1;
    if (calm < CALM && frames > 0) frame = requestAnimationFrame(go);
  };
  go();
  return () => cancelAnimationFrame(frame);
}
