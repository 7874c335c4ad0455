import { Compartment, type Extension } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';
import { holdFocus, isFocusHeld } from '../kit/hold';
import { t } from '../messages/index.svelte';
import type * as Find from './find';

const place = new Compartment();
let loaded: typeof Find | undefined;

/** Where finding goes, once it is asked for: most notes are opened without it. */
export const findPlace: Extension = place.of([]);

/** A command of `find.ts`, which is loaded at the first one. */
function later(command: (find: typeof Find) => Command): Command {
  return (view) => {
    if (loaded) run(view, loaded, command);
    else {
      // What is typed meanwhile is meant for the field of find, not for the note.
      holdFocus(t('view.loading'), view.dom);
      import('./find').then(
        (find) => {
          loaded = find;
          if (!view.dom.isConnected) return;
          run(view, find, command);
          if (isFocusHeld()) view.focus();
        },
        () => isFocusHeld() && view.focus(),
      );
    }
    return true;
  };
}

/** Words of a search that led into a text, until something else is looked for. */
const led = new WeakMap<EditorView, readonly string[]>();

/** Lets “next match” go on from a search that led here. */
export function findOn(view: EditorView, words: readonly string[]): void {
  if (words.length > 0) led.set(view, words);
}

function run(view: EditorView, find: typeof Find, command: (find: typeof Find) => Command): void {
  if (place.get(view.state) !== find.findPanel) view.dispatch({ effects: place.reconfigure(find.findPanel) });
  const words = led.get(view);
  led.delete(view);
  if (words !== undefined) find.lookFor(view, words);
  command(find)(view);
}

export const openFind = later((find) => find.openFind);
export const openReplace = later((find) => find.openReplace);
export const findNext = later((find) => find.findNext);
export const findPrevious = later((find) => find.findPrevious);
export const selectNextOccurrence = later((find) => find.selectNextOccurrence);
