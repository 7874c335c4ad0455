import type { Citation } from '../../api/generated/commands';

/** A snippet cut at what matched. */
export function marked({ snippet, marks }: Pick<Citation, 'snippet' | 'marks'>): { text: string; marked: boolean }[] {
  const cut: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from > at) cut.push({ text: snippet.slice(at, from), marked: false });
    if (to > Math.max(from, at)) cut.push({ text: snippet.slice(Math.max(from, at), to), marked: true });
    at = Math.max(at, to);
  }
  if (at < snippet.length) cut.push({ text: snippet.slice(at), marked: false });
  return cut;
}
