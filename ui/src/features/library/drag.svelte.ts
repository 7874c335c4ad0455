import type { FilePlace } from '../../api/generated/commands';
import { folderOf, samePlace } from '../../state/place';
import type { Row } from './tree.svelte';
import { canEnter } from './work.svelte';

/** How far the pointer goes before a press becomes a drag, in CSS pixels. */
const FAR = 5;
/** How long a closed folder is pointed at before it opens, in milliseconds. */
const OPENS = 700;
/** How near the edge scrolls the list, in CSS pixels. */
const EDGE = 24;

interface Around {
  rowAt: (x: number, y: number) => Row | undefined;
  open: (row: Row) => void;
  drop: (row: Row, into: FilePlace) => void;
  scroller: () => Element | null | undefined;
}

/** Dragging a row onto a folder. Pointer events, so that it works the same in every web view. */
export class Drag {
  row = $state.raw<Row>();
  into = $state.raw<FilePlace>();
  x = $state(0);
  y = $state(0);
  readonly #around: Around;
  #start: { row: Row; x: number; y: number } | undefined;
  #over: Row | undefined;
  #opening: ReturnType<typeof setTimeout> | undefined;
  /** The click that ends a drag opens nothing. */
  #justEnded = false;

  constructor(around: Around) {
    this.#around = around;
  }

  press(event: PointerEvent, row: Row): void {
    if (event.button !== 0 || event.pointerType === 'touch' || row.kind === 'base') return;
    this.#justEnded = false;
    this.#start = { row, x: event.clientX, y: event.clientY };
  }

  move(event: PointerEvent): void {
    const start = this.#start;
    if (start === undefined) return;
    if (this.row === undefined && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
    this.row = start.row;
    this.x = event.clientX;
    this.y = event.clientY;
    this.#scroll();
    const over = this.#around.rowAt(event.clientX, event.clientY);
    if (over === this.#over) return;
    this.#over = over;
    this.into = over === undefined ? undefined : this.#target(start.row, over);
    clearTimeout(this.#opening);
    if (over !== undefined && (over.kind === 'folder' || over.kind === 'base') && !over.open) {
      this.#opening = setTimeout(() => this.#around.open(over), OPENS);
    }
  }

  release(): void {
    const { row, into } = this;
    this.#justEnded = row !== undefined;
    this.cancel();
    if (row !== undefined && into !== undefined) this.#around.drop(row, into);
  }

  cancel(): void {
    clearTimeout(this.#opening);
    this.#start = undefined;
    this.#over = undefined;
    this.row = undefined;
    this.into = undefined;
  }

  /** Whether a click belongs to the drag that ended just now. */
  swallow(): boolean {
    const swallowed = this.#justEnded;
    this.#justEnded = false;
    return swallowed;
  }

  /** The folder that a row stands for; nothing where the dragged one is already or cannot go. */
  #target(dragged: Row, over: Row): FilePlace | undefined {
    if (over.base?.offline === true) return undefined;
    const into = { kbId: over.kbId, path: over.kind === 'file' ? folderOf(over.path) : over.path };
    const place = { kbId: dragged.kbId, path: dragged.path };
    const here = { kbId: place.kbId, path: folderOf(place.path) };
    return samePlace(into, here) || !canEnter(place, into) ? undefined : into;
  }

  #scroll(): void {
    const scroller = this.#around.scroller();
    if (scroller == null) return;
    const box = scroller.getBoundingClientRect();
    if (this.y < box.top + EDGE) scroller.scrollTop -= 12;
    else if (this.y > box.bottom - EDGE) scroller.scrollTop += 12;
  }
}
