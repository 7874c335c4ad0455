import { autocompletion, startCompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { notePort } from './note-port';
import { slashes } from './slash';

/** Where signs are text and nothing else. */
const LITERAL = /^(?:FencedCode|CodeBlock|CodeText|InlineCode|FrontMatter|URL|HTMLBlock|Math.*)$/;

function isLiteral({ state, pos }: CompletionContext): boolean {
  for (let node = syntaxTree(state).resolveInner(pos, -1); ; ) {
    if (LITERAL.test(node.name)) return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}

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

const TAGS_SHOWN = 20;

/** Tags that fit what is typed; at the start of a line, where a heading begins the same way, from its first letter on. */
async function tags(context: CompletionContext): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/(?:[\s(（，。、：；]#[\p{L}\p{N}_/-]*|^#[\p{L}\p{N}_/-]+)$/u);
  if (!typed || context.view?.composing || isLiteral(context)) return null;
  const sign = typed.text.indexOf('#');
  const written = typed.text.slice(sign + 1);
  const sought = written.toLocaleLowerCase();
  const known = await context.state.facet(notePort).tags();
  if (context.aborted) return null;
  const fitting = known.filter(({ tag }) => tag.toLocaleLowerCase().includes(sought));
  // Those that begin so come first; each of the two in the order in which they are used most.
  const ordered = [...fitting.filter(({ tag }) => tag.toLocaleLowerCase().startsWith(sought)), ...fitting.filter(({ tag }) => !tag.toLocaleLowerCase().startsWith(sought))];
  const others = ordered.filter(({ tag }) => tag !== written).slice(0, TAGS_SHOWN);
  if (others.length === 0) return null;
  // A new tag is as good as an old one: what is written stands first.
  const options = [...(written === '' ? [] : [{ label: written }]), ...others.map(({ tag, files }) => ({ label: tag, detail: `${files}` }))];
  return { from: typed.from + sign + 1, filter: false, options };
}

/** Offers for what stands before the caret already. */
export const startNames = startCompletion;

const blocks = slashes(startCompletion);

/** Note names after `[[`, tags after `#`, blocks after `/`. */
export const nameCompletion: Extension = autocompletion({
  override: [names, tags, (context) => (isLiteral(context) ? null : blocks(context))],
  icons: false,
  activateOnTypingDelay: 60,
  // It opens only behind what begins one of these, so Enter means the offer from the first moment on.
  interactionDelay: 0,
});
