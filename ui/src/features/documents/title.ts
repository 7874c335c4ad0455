import { nameOf } from '../../state/place';

/** Titles that programs give of themselves. */
const GIVEN = /^((slide|slides|folie|diapositive|presentation|powerpoint( presentation)?|untitled|document|sheet)\s*\d*|microsoft (word|excel|powerpoint)\b.*|幻灯片\s*\d*|演示文稿\s*\d*|PowerPoint 演示文稿|文档\s*\d*|工作簿\s*\d*)$/i;

/** What a document is called: its title where somebody gave it one, else the name of its file. */
export function titleOf(title: string | undefined, path: string): string {
  const own = title?.trim() ?? '';
  return own === '' || GIVEN.test(own) ? nameOf(path) : own;
}
