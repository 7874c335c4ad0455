import { Facet } from '@codemirror/state';
import type { LinkKind } from '../api/generated/commands';

/** A link as it is written in a note. */
export interface WrittenLink {
  kind: LinkKind;
  target: string;
  fragment: string | null;
}

/** What the editor asks of the note around it. */
export interface NotePort {
  /** Goes where a link leads, or offers to make the note. */
  follow(link: WrittenLink, beside: boolean): void;
  /** Address of an image of this knowledge base, or nothing when it cannot be one. */
  imageUrl(link: WrittenLink): Promise<string | null>;
  /** Whether something is where a link leads; nothing while that is being asked. */
  leads(link: WrittenLink): boolean | undefined;
  /** Calls back when `leads` has another answer, until the returned function is called. */
  watch(changed: () => void): () => void;
  /** What a link says that leads to nothing. */
  readonly notYet: string;
  /** Note names that fit what is typed after `[[`. */
  names(text: string): Promise<NoteName[]>;
  /** All tags, those of most files first. */
  tags(): Promise<readonly { tag: string; files: number }[]>;
}

export interface NoteName {
  /** What goes between the brackets. */
  target: string;
  title: string;
  detail: string;
}

const nobody: NotePort = {
  follow: () => undefined,
  imageUrl: () => Promise.resolve(null),
  leads: () => undefined,
  watch: () => () => undefined,
  notYet: '',
  names: () => Promise.resolve([]),
  tags: () => Promise.resolve([]),
};

export const notePort = Facet.define<NotePort, NotePort>({
  combine: (ports) => ports[0] ?? nobody,
});
