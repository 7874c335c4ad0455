import { syntaxTree } from '@codemirror/language';
import { StateField, type EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { touched } from './focus';
import { notePort } from './note-port';
import { linkOfElement, renderMarkdown } from './render';
import { Properties } from './widgets';

/** A table longer than this stays source: rendering it whole would cost a frame. */
const TABLE_LIMIT = 40_000;

class Table extends WidgetType {
  constructor(readonly source: string) {
    super();
  }

  override eq(other: Table): boolean {
    return other.source === this.source;
  }

  override get estimatedHeight(): number {
    return (this.source.split('\n').length - 1) * 32 + 18;
  }

  override toDOM(view: EditorView): HTMLElement {
    const holder = document.createElement('div');
    holder.className = 'cm-table prose';
    holder.innerHTML = renderMarkdown(this.source);
    holder.addEventListener('mousedown', (event) => {
      const target = event.target instanceof Element ? event.target : holder;
      event.preventDefault();
      const link = linkOfElement(target);
      if (link) {
        view.state.facet(notePort).follow(link, event.button === 1);
        return;
      }
      const row = target.closest('tr');
      const index = row ? [...holder.querySelectorAll('tr')].indexOf(row) : 0;
      const start = view.state.doc.lineAt(view.posAtDOM(holder));
      // The line of dashes stands between the heading row and the rest.
      const number = Math.min(start.number + (index > 0 ? index + 1 : 0), view.state.doc.lines);
      view.dispatch({ selection: { anchor: view.state.doc.line(number).from }, userEvent: 'select.pointer' });
      view.focus();
    });
    return holder;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

interface Blocks {
  decorations: DecorationSet;
  /** What the caret touched, to see cheaply whether a move changes anything. */
  places: readonly { from: number; to: number; open: boolean }[];
}

function build(state: EditorState): Blocks {
  const found: Range<Decoration>[] = [];
  const places: { from: number; to: number; open: boolean }[] = [];
  let node = syntaxTree(state).topNode.firstChild;
  for (; node; node = node.nextSibling) {
    if (node.name !== 'FrontMatter' && node.name !== 'Table') continue;
    const from = state.doc.lineAt(node.from).from;
    const to = state.doc.lineAt(node.to).to;
    if (node.name === 'Table' && to - from > TABLE_LIMIT) continue;
    const open = touched(state, from, to);
    places.push({ from, to, open });
    if (open) continue;
    const source = state.sliceDoc(from, to);
    const widget = node.name === 'Table' ? new Table(source) : new Properties(source);
    found.push(Decoration.replace({ widget, block: true }).range(from, to));
  }
  return { decorations: Decoration.set(found), places };
}

/** Front matter as chips and tables as tables, while the caret is elsewhere. */
export const blockPreview: Extension = StateField.define<Blocks>({
  create: build,
  update(value, transaction) {
    const { state, startState } = transaction;
    if (transaction.docChanged || syntaxTree(state) !== syntaxTree(startState)) return build(state);
    const moved = value.places.some(({ from, to, open }) => open !== touched(state, from, to));
    return moved ? build(state) : value;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});
