import {
  cursorDocEnd,
  cursorDocStart,
  defaultKeymap,
  historyKeymap,
  indentLess,
  indentMore,
} from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { keymap, type Command, type KeyBinding } from '@codemirror/view';
import { indentsHere, insertLink, toggleEmphasis, toggleStrong, toggleTask } from './commands';
import { findNext, findPrevious, openFind, openReplace, selectNextOccurrence } from './find-later';
import { followLink } from './links';

/** Keys of the library that mean something else in this app, or that leave the editor. */
const TAKEN = new Set(['Mod-[', 'Mod-]', 'Mod-Enter', 'Alt-ArrowLeft', 'Alt-ArrowRight', 'Mod-i', 'Mod-/']);

/** Outside lists and code Tab neither indents nor leaves: Esc first, so that nobody leaves by mistake. */
const stay: Command = () => true;

const own: KeyBinding[] = [
  { key: 'Mod-b', run: toggleStrong },
  { key: 'Mod-i', run: toggleEmphasis },
  { key: 'Mod-k', run: insertLink },
  { key: 'Mod-Enter', run: toggleTask },
  { key: 'Alt-Enter', run: followLink },
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
  { key: 'Mod-f', run: openFind, preventDefault: true },
  { key: 'Mod-h', mac: 'Mod-Alt-f', run: openReplace, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'F3', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'Ctrl-Home', run: cursorDocStart },
  { key: 'Ctrl-End', run: cursorDocEnd },
  {
    key: 'Tab',
    run: (view) => (indentsHere(view.state) ? indentMore(view) : stay(view)),
    shift: (view) => (indentsHere(view.state) ? indentLess(view) : false),
  },
];

/** The keys of a note's editor. Esc lets the next Tab leave; that is the library's own. */
export const noteKeys: Extension = [
  keymap.of([
    ...own,
    ...historyKeymap,
    ...defaultKeymap.filter(({ key, mac }) => !TAKEN.has(key ?? '') && !TAKEN.has(mac ?? '')),
  ]),
];
