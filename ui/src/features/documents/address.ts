import { theHost } from '../../api/client';
import type { FilePlace } from '../../api/generated/commands';

/** Widths that pages are drawn in, pixels: few, so that zooming finds them drawn already. */
const WIDTHS = [320, 640, 960, 1280, 1600, 2000, 2600, 3200];

/** The drawn width that is sharp at so many pixels of the screen. */
export function drawnWidth(pixels: number): number {
  return WIDTHS.find((width) => width >= pixels * 0.92) ?? WIDTHS[WIDTHS.length - 1] ?? 3200;
}

/** `hash` makes other bytes another address. */
export function pageUrl({ kbId, path }: FilePlace, page: number, width: number, hash: string): string {
  return `${theHost().blobUrl(`page/${kbId}/${page}/${width}/${path}`)}?${encodeURIComponent(hash)}`;
}

/** The id may hold slashes, so it is encoded once more than the rest. */
export function pictureUrl({ kbId, path }: FilePlace, id: string, hash: string): string {
  return `${theHost().blobUrl(`picture/${kbId}/${encodeURIComponent(id)}/${path}`)}?${encodeURIComponent(hash)}`;
}

export function fileUrl({ kbId, path }: FilePlace): string {
  return theHost().blobUrl(`file/${kbId}/${path}`);
}
