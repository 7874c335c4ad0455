/** A file being named in the question: where its `@` stands and what follows it up to the caret. */
export interface Mention {
  from: number;
  text: string;
}

/** The `@…` that the caret stands in, if it stands in one. An `@` inside a word is an address. */
export function mentionAt(text: string, caret: number): Mention | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf('@');
  if (from < 0) return null;
  if (from > 0 && /[\p{L}\p{N}.]/u.test(before[from - 1] ?? '') && !/\p{Script=Han}/u.test(before[from - 1] ?? ''))
    return null;
  const named = before.slice(from + 1);
  return /[\n@]/.test(named) || named.length > 60 || /\s{2}|[,，。;；]/.test(named) ? null : { from, text: named };
}
