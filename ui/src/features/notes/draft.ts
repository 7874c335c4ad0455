import type { FilePlace } from '../../api/generated/commands';
import { shelfName } from '../../state/storage';

/** Unsaved text, kept so that a crash or a reload does not lose it. */
export interface Draft {
  /** What the text was made from. */
  base: string;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function key(place: FilePlace): string {
  return `${shelfName()}draft:${place.kbId}:${place.path}`;
}

/** Keeps the draft; false when there is no room for it. */
export function keepDraft(shelf: Shelf, place: FilePlace, draft: Draft): boolean {
  try {
    shelf.setItem(key(place), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(shelf: Shelf, place: FilePlace): void {
  try {
    shelf.removeItem(key(place));
  } catch {
    // A shelf that cannot be reached holds nothing either.
  }
}

export function readDraft(shelf: Shelf, place: FilePlace): Draft | null {
  try {
    const value: unknown = JSON.parse(shelf.getItem(key(place)) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { base, text, at } = value as Partial<Draft>;
    return typeof base === 'string' && typeof text === 'string' && typeof at === 'number' ? { base, text, at } : null;
  } catch {
    return null;
  }
}
