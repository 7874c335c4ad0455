import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const place = new Compartment();

/** Names after `[[`, from the first one that is typed: most notes are opened without a link being written. */
export const completeNames: Extension = [
  place.of([]),
  EditorView.updateListener.of(({ view, state, transactions }) => {
    if (!transactions.some((transaction) => transaction.docChanged && transaction.isUserEvent('input.type'))) return;
    const { head } = state.selection.main;
    if (state.sliceDoc(head - 2, head) !== '[[' || !isEmpty(view)) return;
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
