import { propertyChips } from '../../editor/widgets';

export interface ReadingParts {
  /** Properties worth showing. */
  chips: string[];
  body: string;
  /** Where the body begins in the note. */
  start: number;
  /** The body's first line, from 1. */
  firstLine: number;
}

/** A note as it is read: its properties as chips, and the rest. */
export function readingParts(text: string): ReadingParts {
  const front = /^---[ \t]*\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0] ?? '';
  const firstLine = front === '' ? 1 : front.split('\n').length;
  return { chips: propertyChips(front), body: text.slice(front.length), start: front.length, firstLine };
}
