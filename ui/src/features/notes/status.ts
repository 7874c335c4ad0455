import { t } from '../../messages/index.svelte';
import type { ViewStatus } from '../../state/workspace.svelte';
import type { NoteDocument } from './document.svelte';
import { countWords } from './words';

/** Caret, length, encoding and saving of a note, for the status bar. */
export function noteStatus(note: NoteDocument): ViewStatus {
  const { editor, opened } = note;
  const facts: string[] = [];
  if (editor) {
    const { head } = editor.selection.main;
    const line = editor.doc.lineAt(head);
    facts.push(t('note.caret', { line: line.number, column: head - line.from + 1 }));
    const words = countWords(note.text);
    if (words !== null) facts.push(t('note.words', { count: words }));
  }
  if (opened) {
    facts.push(opened.bom ? `${opened.encoding} BOM` : opened.encoding);
    if (opened.lineEnding === 'mixed') facts.push(t('note.mixedEndings'));
    else if (opened.lineEnding !== 'lf') facts.push(opened.lineEnding === 'crLf' ? 'CRLF' : 'CR');
  }
  return { facts, save: saveWord(note) };
}

function saveWord({ opened, state, unsaved, kept }: NoteDocument): string {
  if (opened?.readOnly) return t('note.readOnly');
  if (unsaved && !kept) return t('note.unsavedNotKept');
  if (state.phase === 'failed' || state.phase === 'conflict') return t('note.notSaved');
  if (state.phase === 'saving') return t('note.saving');
  return unsaved ? t('note.unsaved') : t('note.saved');
}
