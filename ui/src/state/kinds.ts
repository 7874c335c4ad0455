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

/** Kinds that open in the editor. */
export function isNote(kind: FileKind): boolean {
  return kind === 'markdown' || kind === 'text';
}

const EXTENSIONS: Record<string, FileKind> = {
  md: 'markdown', markdown: 'markdown', mdown: 'markdown', mkd: 'markdown',
  txt: 'text', text: 'text', log: 'text', org: 'text', rst: 'text', adoc: 'text',
  docx: 'docx', pdf: 'pdf', pptx: 'pptx', epub: 'epub', html: 'html', htm: 'html',
  csv: 'table', tsv: 'table', xlsx: 'table',
  png: 'image', jpg: 'image', jpeg: 'image', webp: 'image', gif: 'image', svg: 'image',
};

/** What a file is, by its name, as the backend says it too. */
export function kindOfName(path: string): FileKind {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? EXTENSIONS[name.slice(dot + 1).toLowerCase()] : undefined) ?? 'other';
}

/** Kinds that open in a viewer of documents. */
export function isDocument(kind: FileKind): boolean {
  return !isNote(kind) && kind !== 'other';
}

/** The extension as a badge; none for Markdown, which is what a file is unless it says otherwise. */
export function badgeOf(path: string, kind: FileKind): string {
  if (kind === 'markdown') return '';
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toUpperCase() : '';
}
