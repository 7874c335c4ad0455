import { t } from '../../messages/index.svelte';

/** What the editor itself says, by the English words that its code uses. */
export function editorPhrases(): Record<string, string> {
  return {
    Done: t('note.phrase.done'),
    'Image elsewhere': t('note.phrase.imageElsewhere'),
    'Image not found': t('note.phrase.imageMissing'),
    Properties: t('note.phrase.properties'),
    'Edit properties': t('note.phrase.editProperties'),
    Find: t('note.phrase.find'),
    Replace: t('note.phrase.replace'),
    'Replace all': t('note.phrase.replaceAll'),
    'Show replace': t('note.phrase.showReplace'),
    'Match case': t('note.phrase.matchCase'),
    'Whole words': t('note.phrase.wholeWords'),
    'Regular expression': t('note.phrase.pattern'),
    'Previous match': t('note.phrase.previous'),
    'Next match': t('note.phrase.next'),
    'No match': t('note.phrase.noMatch'),
    'Not a pattern': t('note.phrase.notPattern'),
    Close: t('note.close'),
  };
}
