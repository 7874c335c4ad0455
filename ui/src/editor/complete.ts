import { autocompletion, startCompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { notePort } from './note-port';

async function names(context: CompletionContext): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\[\[[^[\]\n|#]*$/);
  if (!typed || context.view?.composing) return null;
  const found = await context.state.facet(notePort).names(typed.text.slice(2));
  if (context.aborted) return null;
  const closed = context.state.sliceDoc(context.pos, context.pos + 2) === ']]';
  return {
    from: typed.from + 2,
    filter: false,
    options: found.map(({ target, title, detail }) => ({
      label: title,
      detail,
      apply: (view, _completion, from, to) => {
        view.dispatch({
          changes: { from, to, insert: closed ? target : `${target}]]` },
          selection: { anchor: from + target.length + 2 },
          userEvent: 'input.complete',
        });
      },
    })),
  };
}

/** Offers names for a `[[` that stands already. */
export const startNames = startCompletion;

/** Note names after `[[`. */
export const nameCompletion: Extension = autocompletion({
  override: [names],
  icons: false,
  activateOnTypingDelay: 60,
  // It opens only behind what begins a name, so Enter means the name from the first moment on.
  interactionDelay: 0,
});
