import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import type { Parser } from '@lezer/common';

/** The language that a code fence names, with its parser when that is here already. */
export function languageOf(name: string): { ready: Parser | undefined; load(): Promise<Parser> } | undefined {
  const found = LanguageDescription.matchLanguageName(languages, name, true);
  if (!found) return undefined;
  return {
    ready: found.support?.language.parser,
    load: () => found.load().then(({ language }) => language.parser),
  };
}
