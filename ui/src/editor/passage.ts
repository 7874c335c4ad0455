import { StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import type { LineRange } from '../api/generated/commands';

const show = StateEffect.define<LineRange | null>();
const tinted = Decoration.line({ class: 'cm-passage' });
const first = Decoration.line({ class: 'cm-passage cm-passage-first' });

function decorate(text: Text, lines: LineRange): DecorationSet {
  const last = Math.min(Math.max(lines.end, lines.start), text.lines);
  const ranges = [];
  for (let number = Math.min(Math.max(1, lines.start), text.lines); number <= last; number++) {
    ranges.push((ranges.length ? tinted : first).range(text.line(number).from));
  }
  return Decoration.set(ranges);
}

/** The cited passage: tinted with a bar until the user's next action. */
export const passage: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(show)) return effect.value ? decorate(transaction.newDoc, effect.value) : Decoration.none;
    }
    const acted = ['input', 'delete', 'select', 'move', 'undo', 'redo'].some((event) => transaction.isUserEvent(event));
    return acted ? Decoration.none : value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Tints the lines, puts the caret before them and scrolls them to a third of the height. */
export function showPassage(view: EditorView, lines: LineRange): void {
  const { doc } = view.state;
  const at = doc.line(Math.min(Math.max(1, lines.start), doc.lines)).from;
  const third = Math.round(view.scrollDOM.clientHeight / 3);
  view.dispatch({
    selection: { anchor: at },
    effects: [show.of(lines), EditorView.scrollIntoView(at, { y: 'start', yMargin: third })],
  });
}
