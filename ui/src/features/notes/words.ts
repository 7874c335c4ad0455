/** Past this many characters counting would cost a frame; the figure is then left out. */
const LIMIT = 300_000;

/** Words as people count them: runs of letters and digits, and each Han, kana or hangul sign by itself. */
export function countWords(text: string): number | null {
  if (text.length > LIMIT) return null;
  return [
    ...text.matchAll(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu,
    ),
  ].length;
}
