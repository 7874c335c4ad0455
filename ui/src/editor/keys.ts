import {
  cursorDocEnd,
  cursorDocStart,
  defaultKeymap,
  historyKeymap,
  indentLess,
  indentMore,
} from '@codemirror/commands';
import { findNext, findPrevious, openSearchPanel, searchPanelOpen, selectNextOccurrence } from '@codemirror/search';
import { Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, type Command, type KeyBinding } from '@codemirror/view';
import { indentsHere, insertLink, toggleEmphasis, toggleStrong, toggleTask } from './commands';
import { focusReplace } from './find';
import { followLink } from './links';

/** Keys of the library that mean something else in this app, or that leave the editor. */
const TAKEN = new Set(['Mod-[', 'Mod-]', 'Mod-Enter', 'Alt-ArrowLeft', 'Alt-ArrowRight', 'Mod-i', 'Mod-/']);

const own: KeyBinding[] = [
  { key: 'Mod-b', run: toggleStrong },
  { key: 'Mod-i', run: toggleEmphasis },
  { key: 'Mod-k', run: insertLink },
  { key: 'Mod-Enter', run: toggleTask },
  { key: 'Alt-Enter', run: followLink },
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
  { key: 'Mod-f', run: openSearchPanel, preventDefault: true },
  { key: 'Mod-h', mac: 'Mod-Alt-f', run: focusReplace, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'F3', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'Ctrl-Home', run: cursorDocStart },
  { key: 'Ctrl-End', run: cursorDocEnd },
  {
    key: 'Tab',
    run: (view) => (indentsHere(view.state) ? indentMore(view) : insertTabless(view)),
    shift: (view) => (indentsHere(view.state) ? indentLess(view) : false),
  },
];

/** Outside lists and code Tab neither indents nor leaves: Esc first, so that nobody leaves by mistake. */
const insertTabless: Command = () => true;

/**
 * Esc arms Tab: the next Tab moves the focus as everywhere else. Any other key disarms. Inside a
 * composition Esc belongs to the input method.
 */
const leave: Extension = Prec.highest(
  EditorView.domEventHandlers({
    keydown(event, view) {
      if (event.isComposing || event.keyCode === 229) return false;
      if (event.key === 'Escape') {
        const busy = view.state.selection.ranges.length > 1 || searchPanelOpen(view.state);
        if (!busy) armed.add(view);
        return false;
      }
      if (event.key === 'Tab' && armed.has(view)) {
        armed.delete(view);
        // Handled as far as the editor is concerned; the browser moves the focus.
        return true;
      }
      if (event.key !== 'Shift') armed.delete(view);
      return false;
    },
    blur(_event, view) {
      armed.delete(view);
      return false;
    },
  }),
);

const armed = new WeakSet<EditorView>();

export const noteKeys: Extension = [
  leave,
  keymap.of([
    ...own,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key, mac }) => !TAKEN.has(key ?? '') && !TAKEN.has(mac ?? '')),
  ]),
];
