import { LanguageSupport } from '@codemirror/language';
import { noteLanguage } from './language';

/** Markdown inside a code fence, under the name by which the list of languages asks for it (see `vite.config.ts`). */
export function markdown(): LanguageSupport {
  return new LanguageSupport(noteLanguage);
}
