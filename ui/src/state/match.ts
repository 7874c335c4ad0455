/** A subsequence match for short lists: commands and settings. File names are matched by the backend. */
export interface Match {
  /** Higher is better. */
  score: number;
  /** UTF-16 ranges of the text that matched. */
  marks: [number, number][];
}

/** Letters of `wanted` in order; runs and word starts count more. `undefined` when one is missing. */
export function match(text: string, wanted: string): Match | undefined {
  const letters = wanted.toLocaleLowerCase().replace(/\s+/g, '');
  if (letters === '') return { score: 0, marks: [] };
  const low = text.toLocaleLowerCase();
  if (low.length !== text.length) return undefined;
  const whole = low.indexOf(wanted.toLocaleLowerCase().trim());
  if (whole >= 0) {
    const end = whole + wanted.trim().length;
    return { score: 100 - whole + (startsWord(low, whole) ? 50 : 0), marks: [[whole, end]] };
  }
  const marks: [number, number][] = [];
  let at = 0;
  let score = 0;
  for (const letter of letters) {
    // A word start is preferred where there is one ahead.
    let found = low.indexOf(letter, at);
    if (found < 0) return undefined;
    const last = marks.at(-1);
    if (last?.[1] !== found) {
      for (let ahead = found; ahead >= 0; ahead = low.indexOf(letter, ahead + 1)) {
        if (startsWord(low, ahead)) {
          found = ahead;
          break;
        }
      }
    }
    if (last?.[1] === found) {
      last[1] = found + letter.length;
      score += 3;
    } else {
      marks.push([found, found + letter.length]);
      score += startsWord(low, found) ? 2 : -1;
    }
    at = found + letter.length;
  }
  return score < 0 ? undefined : { score, marks };
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[\s/_-]/.test(text[at - 1] ?? '');
}
