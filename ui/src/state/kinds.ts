import type { FileKind, OperationKind } from '../api/generated/commands';
import type { IconName } from '../kit/icons';
import { nameOf } from './place';

const ICONS: Record<FileKind, IconName> = {
  markdown: 'note',
  text: 'note',
  docx: 'file',
  pdf: 'file',
  pptx: 'slides',
  table: 'table',
  html: 'globe',
  epub: 'book',
  image: 'image',
  other: 'file',
};

/** What an operation of a change set does to its file. */
export const OPERATION_ICONS: Record<OperationKind, IconName> = {
  edit: 'pen',
  createFile: 'plus',
  createFolder: 'folder',
  move: 'arrowRight',
  delete: 'trash',
  removeCreated: 'undo',
  bringBack: 'undo',
};

export function iconOf(kind: FileKind): IconName {
  return ICONS[kind];
}

/** What a note is by its name. */
export function noteKind(path: string): FileKind {
  return /\.(md|markdown)$/i.test(path) ? 'markdown' : 'text';
}

/** Kinds that open in the editor. */
export function isNote(kind: FileKind): boolean {
  return kind === 'markdown' || kind === 'text';
}

/** The extension as a badge; none for Markdown, which is what a file is unless it says otherwise. */
export function badgeOf(path: string, kind: FileKind): string {
  if (kind === 'markdown') return '';
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toUpperCase() : '';
}
