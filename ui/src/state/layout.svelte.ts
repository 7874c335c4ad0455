import { field, recall, remember } from './storage';

export const LEFT = { usual: 252, min: 200, max: 420 };
export const RIGHT = { usual: 400, min: 320, max: 720 };
export const MIDDLE_MIN = 420;
/** From here on three columns fit; below, the left one is a drawer. */
export const WIDE = 1120;

export const NARROWEST = 900;
/** In a narrow window the right pane gives way to the text until it is this wide. */
const READABLE = 560;

export type LeftTab = 'files' | 'search' | 'changes';

/** Widths and visibility of the three columns. */
export class Layout {
  /** Of the window, in CSS pixels. */
  windowWidth = $state(1440);
  leftWidth = $state(LEFT.usual);
  rightWidth = $state(RIGHT.usual);
  leftOpen = $state(true);
  rightOpen = $state(true);
  leftTab = $state<LeftTab>('files');
  /** Name of the right pane's tab; which ones exist is App's registry. */
  rightTab = $state('assistant');
  /** The middle shows something that needs the left pane more than the right one. */
  keepsLeft = $state(false);
  /** In a narrow window the reader asked for the right pane all the same: it takes the left one's place. */
  overLeft = $state(false);
  /** The reader asked for a tab of the left pane while Settings are in front. */
  overSettings = $state(false);
  /** The drawer of a narrow window is out. */
  drawer = $state(false);
  /** Tab groups beside each other in the middle. */
  groups = $state(1);
  /** The reader asked for the right pane although there is no room beside the groups: the middle scrolls. */
  insists = $state(false);

  /** Of the shell, which is never narrower than this: below, the window scrolls. */
  readonly width = $derived(Math.max(NARROWEST, this.windowWidth));
  /** What the middle needs. */
  readonly middle = $derived(MIDDLE_MIN * this.groups);
  /** Three columns fit. */
  readonly wide = $derived(this.width >= WIDE && this.width - this.middle >= LEFT.min + (this.rightOpen ? RIGHT.min : 0));
  /** The left pane stands beside the middle. */
  readonly #holdsLeft = $derived(this.wide || (this.keepsLeft && !this.overLeft));
  readonly leftShown = $derived(this.#holdsLeft && this.leftOpen);
  readonly #rightFits = $derived(this.width - this.middle - (this.leftShown ? LEFT.min : 0) >= RIGHT.min);
  readonly rightShown = $derived(this.rightOpen && (this.wide || !this.#holdsLeft) && (this.#rightFits || this.insists));
  readonly drawerShown = $derived(!this.#holdsLeft && this.drawer);
  /** Widths as they can be at this window width: the middle keeps its minimum. */
  readonly rightFitted = $derived.by(() => {
    if (!this.rightShown) return 0;
    const middle = this.wide ? this.middle : Math.max(this.middle, READABLE);
    // The right pane gives way first: names in the tree are cut sooner than what is said beside it.
    return fit(this.rightWidth, RIGHT, this.width - middle - (this.leftShown ? this.leftWidth : 0));
  });
  readonly leftFitted = $derived(
    this.leftShown ? fit(this.leftWidth, LEFT, this.width - this.middle - this.rightFitted) : 0,
  );

  constructor() {
    const saved = recall('layout');
    const left = field(saved, 'leftWidth');
    const right = field(saved, 'rightWidth');
    if (typeof left === 'number') this.leftWidth = clamp(left, LEFT);
    if (typeof right === 'number') this.rightWidth = clamp(right, RIGHT);
    if (field(saved, 'leftOpen') === false) this.leftOpen = false;
    if (field(saved, 'rightOpen') === false) this.rightOpen = false;
    const tab = field(saved, 'leftTab');
    if (tab === 'files' || tab === 'changes' || tab === 'search') this.leftTab = tab;
    const rightTab = field(saved, 'rightTab');
    if (typeof rightTab === 'string') this.rightTab = rightTab;
  }

  save(): void {
    remember('layout', {
      leftWidth: this.leftWidth,
      rightWidth: this.rightWidth,
      leftOpen: this.leftOpen,
      rightOpen: this.rightOpen,
      leftTab: this.leftTab,
      rightTab: this.rightTab,
    });
  }

  resizeLeft(width: number): void {
    this.leftWidth = clamp(width, LEFT);
  }

  resizeRight(width: number): void {
    this.rightWidth = clamp(width, RIGHT);
  }

  toggleLeft(): void {
    if (this.#holdsLeft) this.leftOpen = !this.leftOpen;
    else this.drawer = !this.drawer;
  }

  toggleRight(): void {
    const shown = this.rightShown;
    this.rightOpen = !shown;
    this.insists = !shown;
    this.overLeft = !shown;
  }

  /** The middle shows something else: whether that needs the left pane. What was asked for before is over. */
  keepLeft(keeps: boolean): void {
    this.keepsLeft = keeps;
    this.overLeft = false;
  }

  showLeft(tab: LeftTab): void {
    this.leftTab = tab;
    this.overSettings = true;
    this.overLeft = false;
    if (this.#holdsLeft) this.leftOpen = true;
    else this.drawer = true;
  }

  /** The left pane follows the middle: to what belongs to it, and back to where it was. */
  follow(tab: LeftTab | undefined): void {
    if (tab !== undefined) {
      if (this.leftTab === tab) return;
      this.#before ??= this.leftTab;
      this.#followed = tab;
      this.leftTab = tab;
    } else if (this.#before !== undefined) {
      // What the user chose in the meantime stays.
      if (this.leftTab === this.#followed) this.leftTab = this.#before;
      this.#before = undefined;
    }
  }

  #before: LeftTab | undefined;
  #followed: LeftTab | undefined;

  showRight(tab: string): void {
    this.rightTab = tab;
    this.rightOpen = true;
    this.insists = true;
    this.overLeft = true;
  }
}

interface Bounds {
  min: number;
  max: number;
}

function clamp(width: number, { min, max }: Bounds): number {
  return Math.round(Math.min(max, Math.max(min, width)));
}

function fit(width: number, bounds: Bounds, room: number): number {
  return Math.max(bounds.min, Math.min(width, room));
}

export const layout = new Layout();
