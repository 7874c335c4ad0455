import type { FilePlace } from '../api/generated/commands';

/** One string for one place, as a key. */
export function placeKey(place: FilePlace): string {
  return `${place.kbId}:${place.path}`;
}

export function samePlace(a: FilePlace, b: FilePlace): boolean {
  return a.kbId === b.kbId && a.path === b.path;
}

/** Last component of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder that holds it; empty for the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The name as people read it: notes without their extension. */
export function stemOf(path: string): string {
  return nameOf(path).replace(/\.(md|markdown|txt)$/i, '');
}

/** Where a place is after a move of it or of a folder above it; else nothing. */
export function placeAfter(place: FilePlace, from: FilePlace, to: FilePlace): FilePlace | undefined {
  if (place.kbId !== from.kbId) return undefined;
  if (place.path === from.path) return to;
  if (!place.path.startsWith(`${from.path}/`)) return undefined;
  return { kbId: to.kbId, path: to.path + place.path.slice(from.path.length) };
}
