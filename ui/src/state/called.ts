import type { FilePlace } from '../api/generated/commands';
import { isDocument, kindOfName } from './kinds';
import { nameOf, stemOf } from './place';

/** Titles that programs give of themselves. */
const GIVEN = /^((slide|slides|folie|diapositive|presentation|powerpoint( presentation)?|untitled|document|sheet)\s*\d*|microsoft (word|excel|powerpoint)\b.*|幻灯片\s*\d*|演示文稿\s*\d*|PowerPoint 演示文稿|文档\s*\d*|工作簿\s*\d*)$/i;

/**
 * What a file is called wherever files are named: a note by the title that its writer gave it, a document by the name
 * of its file, which is what people know of it; what a program wrote into it is seldom that.
 */
export function calledOf(place: FilePlace, title?: string): string {
  if (isDocument(kindOfName(place.path))) return nameOf(place.path);
  return title || stemOf(place.path) || nameOf(place.path);
}

/** The title that a document has within, where it is no program's own and says more than the name of its file. */
export function titleWithin(place: FilePlace, title: string | undefined): string | undefined {
  const own = title?.trim() ?? '';
  if (own === '' || GIVEN.test(own) || !isDocument(kindOfName(place.path))) return undefined;
  const name = nameOf(place.path);
  return own === name || own === name.slice(0, name.lastIndexOf('.')) ? undefined : own;
}
