import { syntaxTree } from '@codemirror/language';
import { StateEffect, StateField, type EditorState, type Extension, type Transaction } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { touched } from './focus';
import { notePort } from './note-port';
import { prose } from './prose';
import { linkOfElement } from './render';
import { Properties } from './widgets';

/** A table longer than this stays source: rendering it whole would cost a frame. */
const TABLE_LIMIT = 40_000;

/** What ends with a drawn table. By element: the editor may hand an element from one widget to the next. */
const leaving = new WeakMap<HTMLElement, () => void>();

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
    const leave = prose(this.source, {}, view.state.facet(notePort))(holder);
    if (leave) leaving.set(holder, leave);
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

  override destroy(holder: HTMLElement): void {
    leaving.get(holder)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** A block that shows as something else while the caret is not in it. */
interface Place {
  from: number;
  to: number;
  widget: WidgetType;
  open: boolean;
}

interface Blocks {
  places: readonly Place[];
  decorations: DecorationSet;
}

/** Says that the whole text is to be looked through again. */
const rescan = StateEffect.define<null>();

/** This far around a change blocks are looked for at once; the rest follows when the keys rest. */
const NEAR = 4000;
const REST_MS = 400;

function find(state: EditorState, start: number, end: number): Place[] {
  const places: Place[] = [];
  syntaxTree(state).iterate({
    from: start,
    to: end,
    enter(node) {
      if (node.name === 'Document') return true;
      if (node.name !== 'FrontMatter' && node.name !== 'Table') return false;
      const from = state.doc.lineAt(node.from).from;
      const to = state.doc.lineAt(node.to).to;
      // In a list or a quote a table is no block of its own lines.
      if (node.name === 'Table' && (node.from !== from || to - from > TABLE_LIMIT)) return false;
      const source = state.sliceDoc(from, to);
      const widget = node.name === 'Table' ? new Table(source) : new Properties(source);
      places.push({ from, to, widget, open: touched(state, from, to) });
      return false;
    },
  });
  return places;
}

function show(places: readonly Place[]): Blocks {
  const closed = places.filter(({ open }) => !open);
  const found = closed.map(({ from, to, widget }) => Decoration.replace({ widget, block: true }).range(from, to));
  return { places, decorations: Decoration.set(found) };
}

/** Looks through a part again and keeps what is known of the rest. */
function refresh({ places }: Blocks, { state, startState, changes, docChanged }: Transaction): Blocks {
  const parsed = syntaxTree(state).length;
  let start = docChanged ? state.doc.length : Math.min(syntaxTree(startState).length, parsed);
  let end = docChanged ? 0 : parsed;
  changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    start = Math.min(start, fromB);
    end = Math.max(end, toB);
  });
  start = state.doc.lineAt(Math.max(0, start - NEAR)).from;
  end = state.doc.lineAt(Math.min(state.doc.length, end + NEAR)).to;
  const moved = docChanged
    ? places.map((place) => ({ ...place, from: changes.mapPos(place.from, 1), to: changes.mapPos(place.to, -1) }))
    : places;
  const before = moved.filter(({ from, to }) => to < start && to > from);
  const after = moved.filter(({ from, to }) => from > end && to > from);
  const last = before.at(-1)?.to ?? -1;
  const next = after[0]?.from ?? Infinity;
  const near = find(state, start, end).filter(({ from, to }) => from > last && to < next);
  return show(
    [...before, ...near, ...after].map((place) => ({ ...place, open: touched(state, place.from, place.to) })),
  );
}

const blocks = StateField.define<Blocks>({
  create: (state) => show(find(state, 0, state.doc.length)),
  update(value, transaction) {
    const { state, startState, effects } = transaction;
    if (effects.some((effect) => effect.is(rescan))) return show(find(state, 0, state.doc.length));
    if (transaction.docChanged || syntaxTree(state) !== syntaxTree(startState)) return refresh(value, transaction);
    const turned = value.places.some(({ from, to, open }) => open !== touched(state, from, to));
    if (!turned) return value;
    return show(value.places.map((place) => ({ ...place, open: touched(state, place.from, place.to) })));
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

/** A fence opened far above can change what a table is: seen once the keys rest. */
const later = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;
    constructor(private readonly view: EditorView) {}
    update(update: ViewUpdate): void {
      if (!update.docChanged) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        if (!this.view.composing) this.view.dispatch({ effects: rescan.of(null) });
      }, REST_MS);
    }
    destroy(): void {
      clearTimeout(this.timer);
    }
  },
);

/** Front matter as chips and tables as tables, while the caret is elsewhere. */
export const blockPreview: Extension = [blocks, later];
