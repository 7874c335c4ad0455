import { MergeView } from '@codemirror/merge';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { styleNonce } from './nonce';
import { textOf } from './replace';

interface Sides {
  left: string;
  right: string;
  leftLabel: string;
  rightLabel: string;
  /** Name of the button that takes one place from the left. */
  takeLabel: string;
  /** Says how many lines were left out; `$` stands for the number. */
  unchangedLabel: string;
  /** Told after every change of the right text. */
  changed(right: string): void;
}

const look = EditorView.theme({
  '&': { background: 'var(--bg-page)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--text-sm)/1.65 var(--font-read)' },
  '.cm-gutters': {
    background: 'none',
    border: '0',
    color: 'var(--text-3)',
    font: 'var(--text-2xs)/1.65 var(--font-mono)',
  },
  '.cm-content': { caretColor: 'var(--accent-line)' },
  '&.cm-merge-a .cm-changedLine': { background: 'var(--remove-bg)' },
  '&.cm-merge-b .cm-changedLine': { background: 'var(--add-bg)' },
  '&.cm-merge-a .cm-changedText': { background: 'var(--remove-mark)', borderRadius: '2px' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--add-mark)', borderRadius: '2px' },
  '.cm-collapsedLines': { background: 'none', color: 'var(--text-3)', fontSize: 'var(--text-xs)' },
  // Its own signs are in few fonts.
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯"' },
});

/** Two texts beside each other; the right one can be changed. */
export function compareTexts(parent: HTMLElement, sides: Sides): () => void {
  const common: Extension = [
    styleNonce(),
    lineNumbers(),
    EditorView.lineWrapping,
    EditorState.phrases.of({ '$ unchanged lines': sides.unchangedLabel }),
    look,
  ];
  const view = new MergeView({
    parent,
    a: {
      doc: textOf(sides.left),
      extensions: [
        common,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': sides.leftLabel, 'aria-readonly': 'true' }),
      ],
    },
    b: {
      doc: textOf(sides.right),
      extensions: [
        common,
        history(),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': sides.rightLabel }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) sides.changed(update.state.doc.toString());
        }),
      ],
    },
    revertControls: 'a-to-b',
    renderRevertControl: () => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'cm-take';
      button.textContent = '→';
      button.title = sides.takeLabel;
      button.setAttribute('aria-label', sides.takeLabel);
      // The view takes at the press of a pointer; a key only clicks.
      button.addEventListener('click', (event) => {
        if (event.detail > 0) return;
        button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
        // The button goes with its place.
        view.b.focus();
      });
      return button;
    },
    collapseUnchanged: { margin: 3, minSize: 6 },
    gutter: true,
  });
  return () => view.destroy();
}
