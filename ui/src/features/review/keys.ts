import { composing } from '../../state/keymap';

export type ReviewAction =
  | 'nextHunk'
  | 'previousHunk'
  | 'nextOperation'
  | 'previousOperation'
  | 'nextLine'
  | 'previousLine'
  | 'nextPage'
  | 'previousPage'
  | 'start'
  | 'end'
  | 'accept'
  | 'reject'
  | 'undecide'
  | 'tick'
  | 'comment'
  | 'edit'
  | 'view'
  | 'expand'
  | 'apply'
  | 'takeDisk'
  | 'takeProposal';

const LETTERS: Record<string, ReviewAction> = {
  j: 'nextHunk',
  k: 'previousHunk',
  a: 'accept',
  r: 'reject',
  u: 'undecide',
  x: 'tick',
  c: 'comment',
  e: 'edit',
  v: 'view',
  '1': 'takeDisk',
  '3': 'takeProposal',
};

/** Keys that move; a focused control has its own use for them. */
const MOVES: Record<string, ReviewAction> = {
  ArrowDown: 'nextLine',
  ArrowUp: 'previousLine',
  PageDown: 'nextPage',
  PageUp: 'previousPage',
  Home: 'start',
  End: 'end',
};

/** What a key means while the review has the focus; nothing inside a composition or a text field. */
export function reviewKey(event: KeyboardEvent): ReviewAction | undefined {
  if (composing(event) || event.altKey) return undefined;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable="true"]')) return undefined;
  const control = target?.closest('button, a') != null;
  if (event.key === 'Enter') {
    if (event.ctrlKey || event.metaKey) return 'apply';
    return control ? undefined : 'expand';
  }
  if (event.ctrlKey || event.metaKey) return undefined;
  const move = MOVES[event.key];
  if (move !== undefined) return control || event.shiftKey ? undefined : move;
  const letter = /^[a-z0-9]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace(/^(?:Key|Digit)/, '').toLowerCase();
  if (event.shiftKey) return letter === 'j' ? 'nextOperation' : letter === 'k' ? 'previousOperation' : undefined;
  return LETTERS[letter];
}
