import { Compartment, type Extension } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';
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
      void import('./find').then((find) => {
        loaded = find;
        if (view.dom.isConnected) run(view, find, command);
      });
    }
    return true;
  };
}

function run(view: EditorView, find: typeof Find, command: (find: typeof Find) => Command): void {
  if (place.get(view.state) !== find.findPanel) view.dispatch({ effects: place.reconfigure(find.findPanel) });
  command(find)(view);
}

export const openFind = later((find) => find.openFind);
export const openReplace = later((find) => find.openReplace);
export const findNext = later((find) => find.findNext);
export const findPrevious = later((find) => find.findPrevious);
export const selectNextOccurrence = later((find) => find.selectNextOccurrence);
