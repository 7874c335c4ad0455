import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const place = new Compartment();

/** What begins something that can be completed: a link, a tag, a block. */
const BEGINS = /\[\[$|(?:^|[\s(（，。、：；])#$|^\s*\/$/;

/** Completion, from the first such sign that is typed: most notes are opened without one being written. */
export const completeNames: Extension = [
  place.of([]),
  EditorView.updateListener.of(({ view, state, transactions }) => {
    if (!transactions.some((transaction) => transaction.docChanged && transaction.isUserEvent('input.type'))) return;
    const { head } = state.selection.main;
    if (!isEmpty(view)) return;
    const line = state.doc.lineAt(head);
    if (!BEGINS.test(state.sliceDoc(Math.max(line.from, head - 40), head))) return;
    void import('./complete').then(({ nameCompletion, startNames }) => {
      if (!isEmpty(view)) return;
      view.dispatch({ effects: place.reconfigure(nameCompletion) });
      startNames(view);
    });
  }),
];

function isEmpty({ state }: EditorView): boolean {
  const content = place.get(state);
  return Array.isArray(content) && content.length === 0;
}
