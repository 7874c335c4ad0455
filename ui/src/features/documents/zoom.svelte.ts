/** Shares of the real size that one steps through. */
const STEPS = [0.1, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

/** How large something is shown: as it fits, until somebody chooses. */
export class Zoom {
  /** Share of the real size; absent: as it fits. */
  chosen = $state<number>();
  /** The share at which it fits, told by the view. */
  fitting = $state(1);
  readonly share = $derived(this.chosen ?? this.fitting);

  larger(): void {
    const { share } = this;
    this.chosen = STEPS.find((step) => step > share * 1.01) ?? share;
  }

  smaller(): void {
    const { share } = this;
    this.chosen = STEPS.findLast((step) => step < share * 0.99) ?? share;
  }

  fit(): void {
    this.chosen = undefined;
  }

  /** By a wheel that was turned, or fingers that were spread. */
  turn(by: number): void {
    this.chosen = clamp(this.share * Math.exp(-by / 300));
  }

  /** Takes a key that zooms. */
  press(key: string): boolean {
    if (key === '+' || key === '=') this.larger();
    else if (key === '-' || key === '_') this.smaller();
    else if (key === '0') this.fit();
    else if (key === '1') this.chosen = 1;
    else return false;
    return true;
  }
}

/** A document of pages as its controls see it. */
export class Pages extends Zoom {
  /** The page that is read, from 1. */
  page = $state(1);
  count = $state(0);
  /** Set by the view. */
  go: (page: number) => void = () => {};
}

/** An image as its controls see it. */
export class ImageZoom extends Zoom {
  size = $state.raw<{ width: number; height: number }>();
}

function clamp(share: number): number {
  return Math.max(STEPS[0] ?? 0.1, Math.min(STEPS[STEPS.length - 1] ?? 8, share));
}
