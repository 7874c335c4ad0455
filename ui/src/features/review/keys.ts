import { composing } from '../../state/keymap';

export type ReviewAction =
  | 'nextHunk'
  | 'previousHunk'
  | 'nextOperation'
  | 'previousOperation'
  | 'accept'
  | 'reject'
  | 'undecide'
  | 'tick'
  | 'view'
  | 'expand'
  | 'apply'
  | 'keepMine';

const LETTERS: Record<string, ReviewAction> = {
  j: 'nextHunk',
  k: 'previousHunk',
  a: 'accept',
  r: 'reject',
  u: 'undecide',
  x: 'tick',
  v: 'view',
  '1': 'keepMine',
};

/** What a key means while the review has the focus; nothing inside a composition or a text field. */
export function reviewKey(event: KeyboardEvent): ReviewAction | undefined {
  if (composing(event) || event.altKey) return undefined;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, [contenteditable="true"]')) return undefined;
  if (event.key === 'Enter') {
    if (event.ctrlKey || event.metaKey) return 'apply';
    return target?.closest('button') ? undefined : 'expand';
  }
  if (event.ctrlKey || event.metaKey) return undefined;
  const letter = /^[a-z1]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace(/^Key/, '').toLowerCase();
  if (event.shiftKey) return letter === 'j' ? 'nextOperation' : letter === 'k' ? 'previousOperation' : undefined;
  return LETTERS[letter];
}
