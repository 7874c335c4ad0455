import { history } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { blockPreview } from './blocks';
import { completeNames } from './complete-later';
import { findPlace } from './find-later';
import { trackFocus } from './focus';
import { noteKeys } from './keys';
import { markdownNote } from './language';
import { clickLinks } from './links';
import { styleNonce } from './nonce';
import { notePort, type NotePort } from './note-port';
import { passage } from './passage';
import { livePreview } from './preview';
import { noteLook } from './theme';

export interface NoteOptions {
  port: NotePort;
  /** Names for what the editor says, by its English words. */
  phrases: Record<string, string>;
  /** Accessible name of the text. */
  label: string;
  /** Plain text gets the editor without Markdown. */
  markdown: boolean;
  readOnly: boolean;
  spellcheck: boolean;
  changed(update: ViewUpdate): void;
}

const writable = new Compartment();
const spelling = new Compartment();

function writing(readOnly: boolean): Extension {
  return [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)];
}

function spell(on: boolean): Extension {
  return EditorView.contentAttributes.of({ spellcheck: String(on) });
}

/** Shows links as clickable while Ctrl or Cmd is held. */
const followHint = ViewPlugin.fromClass(
  class {
    constructor(readonly view: EditorView) {
      window.addEventListener('keydown', this.hint);
      window.addEventListener('keyup', this.hint);
      window.addEventListener('blur', this.hint);
    }
    readonly hint = (event: Event) => {
      const held = event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey);
      this.view.dom.classList.toggle('cm-following', held);
    };
    destroy(): void {
      window.removeEventListener('keydown', this.hint);
      window.removeEventListener('keyup', this.hint);
      window.removeEventListener('blur', this.hint);
    }
  },
);

/** Everything a note's editor is made of. */
export function noteExtensions(options: NoteOptions): Extension {
  return [
    styleNonce(),
    history(),
    drawSelection(),
    dropCursor(),
    highlightActiveLine(),
    EditorState.allowMultipleSelections.of(true),
    EditorView.lineWrapping,
    indentUnit.of('  '),
    EditorState.phrases.of(options.phrases),
    notePort.of(options.port),
    // A region begins at what is written, not at the bar above it.
    EditorView.contentAttributes.of({ 'aria-label': options.label, 'data-start': '' }),
    spelling.of(spell(options.spellcheck)),
    writable.of(writing(options.readOnly)),
    trackFocus,
    noteKeys,
    options.markdown ? [markdownNote, livePreview, blockPreview, completeNames, clickLinks, followHint] : [],
    findPlace,
    passage,
    noteLook,
    EditorView.updateListener.of((update) => options.changed(update)),
  ];
}

/** Allows or forbids writing without losing anything else. */
export function setReadOnly(view: EditorView, readOnly: boolean): void {
  view.dispatch({ effects: writable.reconfigure(writing(readOnly)) });
}

export function setSpellcheck(view: EditorView, on: boolean): void {
  view.dispatch({ effects: spelling.reconfigure(spell(on)) });
}
