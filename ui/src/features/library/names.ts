/** A name cut so that its end stays readable. */
export interface Cut {
  start: string;
  /** Never shortened; empty for names whose end says little. */
  end: string;
}

/**
 * Names truncate in the middle when they end in a date or a number, since that is what tells them apart; else at
 * the end.
 */
export function cutName(name: string): Cut {
  const end = /[\s._-]*[vV第#(（]?\d[\d\s.:_/-]*[)）号版章]?$/.exec(name)?.[0] ?? '';
  if (end === '' || end.length >= name.length || end.length > 14) return { start: name, end: '' };
  return { start: name.slice(0, -end.length), end };
}
