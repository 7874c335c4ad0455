import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type PlainKey, t } from '../messages/index.svelte';

interface Block {
  title: PlainKey;
  /** What is typed for it in any language, besides its title. */
  words: string;
  text: string;
  /** Where the caret goes in it. */
  caret: number;
}

const BLOCKS: readonly Block[] = [
  { title: 'note.slash.heading1', words: 'h1 heading', text: '# ', caret: 2 },
  { title: 'note.slash.heading2', words: 'h2 heading', text: '## ', caret: 3 },
  { title: 'note.slash.heading3', words: 'h3 heading', text: '### ', caret: 4 },
  { title: 'note.slash.list', words: 'list bullet', text: '- ', caret: 2 },
  { title: 'note.slash.numbered', words: 'list numbered', text: '1. ', caret: 3 },
  { title: 'note.slash.task', words: 'task todo', text: '- [ ] ', caret: 6 },
  { title: 'note.slash.quote', words: 'quote', text: '> ', caret: 2 },
  { title: 'note.slash.code', words: 'code', text: '```\n\n```', caret: 3 },
  { title: 'note.slash.table', words: 'table', text: '|  |  |\n| --- | --- |\n|  |  |', caret: 2 },
  { title: 'note.slash.link', words: 'link note', text: '[[', caret: 2 },
  { title: 'note.slash.rule', words: 'rule divider', text: '***\n', caret: 4 },
  { title: 'note.slash.date', words: 'date today', text: '', caret: 10 },
];

function today(now = new Date()): string {
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}

/** Blocks to begin, after a slash that begins a line: within a sentence it is a slash. */
export function slashes(start: (view: EditorView) => void): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const typed = context.matchBefore(/^\s*\/[\p{L}\p{N} ]*$/u);
    if (!typed || context.view?.composing) return null;
    const from = typed.from + typed.text.indexOf('/');
    const sought = typed.text.slice(typed.text.indexOf('/') + 1).toLocaleLowerCase().trim();
    const fits = ({ title, words }: Block) =>
      sought === '' || t(title).toLocaleLowerCase().includes(sought) || words.split(' ').some((word) => word.startsWith(sought));
    const options = BLOCKS.filter(fits).map((block): Completion => {
      // Written when it is taken: the day may have changed since.
      const insert = () => (block.title === 'note.slash.date' ? today() : block.text);
      return {
        label: t(block.title),
        detail: block.title === 'note.slash.table' ? '' : (insert().split('\n')[0]?.trim() ?? ''),
        apply: (view, _completion, _from, to) => {
          view.dispatch({ changes: { from, to, insert: insert() }, selection: EditorSelection.cursor(from + block.caret), userEvent: 'input.complete', scrollIntoView: true });
          if (block.title === 'note.slash.link') start(view);
        },
      };
    });
    return options.length === 0 ? null : { from, filter: false, options };
  };
}
