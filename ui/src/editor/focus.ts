import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Says that the editor has the focus, or not. */
export const setFocused = StateEffect.define<boolean>();

/** Whether the editor has the focus, for decorations that show the source only where one writes. */
export const focused = StateField.define<boolean>({
  create: () => false,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFocused)) return effect.value;
    return value;
  },
});

export const trackFocus: Extension = [
  focused,
  EditorView.focusChangeEffect.of((_state, focusing) => setFocused.of(focusing)),
];

/** Whether the caret or a selection touches the range while the editor is focused. */
export function touched(state: EditorState, from: number, to: number): boolean {
  return (
    (state.field(focused, false) ?? true) &&
    state.selection.ranges.some((range) => range.from <= to && range.to >= from)
  );
}
