import type { Parser } from '@lezer/common';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { make } from './draw';
import type * as Languages from './languages';

/** Longer code stays plain: colouring it would cost a frame. */
const LIMIT = 50_000;

/** Colours of code, in notes, in the reading view and in answers; the classes are in `prose.css`. */
export const codeColours = tagHighlighter([
  { tag: [tags.comment, tags.lineComment, tags.blockComment], class: 'code-comment' },
  { tag: [tags.keyword, tags.controlKeyword, tags.moduleKeyword, tags.operatorKeyword], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'code-value' },
  { tag: [tags.typeName, tags.className, tags.namespace], class: 'code-type' },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)], class: 'code-name' },
  { tag: tags.tagName, class: 'code-tag' },
  { tag: [tags.processingInstruction, tags.meta], class: 'code-quiet' },
  { tag: tags.invalid, class: 'code-invalid' },
]);

// The list of languages is long; it comes with the first code that names one.
let languages: typeof Languages | undefined;

/** The parser of a language if it is here: nothing when it must be loaded, `null` when nobody knows the language. */
export function parserNow(language: string): Parser | null | undefined {
  const known = languages?.languageOf(language);
  return known ? known.ready : languages && null;
}

export async function loadParser(language: string): Promise<Parser | null> {
  languages ??= await import('./languages');
  return (await languages.languageOf(language)?.load()) ?? null;
}

/** Colours a block of code that names its language. */
export function colourCode(code: HTMLElement): void {
  const language = code.dataset['language'];
  if (language === undefined || code.textContent.length > LIMIT) return;
  const parser = parserNow(language);
  if (parser) colour(code, parser);
  else if (parser === undefined) {
    // Code in one ink is still code.
    void loadParser(language).then(
      (loaded) => loaded && colour(code, loaded),
      () => undefined,
    );
  }
}

function colour(code: HTMLElement, parser: Parser): void {
  const text = code.textContent;
  const whole = document.createDocumentFragment();
  highlightCode(
    text,
    parser.parse(text),
    codeColours,
    (piece, classes) => {
      if (classes === '') whole.append(piece);
      else {
        const span = make('span', classes);
        span.textContent = piece;
        whole.append(span);
      }
    },
    () => whole.append('\n'),
  );
  code.replaceChildren(whole);
}
