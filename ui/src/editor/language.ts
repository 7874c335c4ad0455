import { markdownKeymap, markdownLanguage, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Language, ParseContext } from '@codemirror/language';
import { Prec, type Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { parseMixed, type Parser } from '@lezer/common';
import type { MarkdownParser } from '@lezer/markdown';
import { loadParser, parserNow } from './code';
import { dialect } from './syntax';

/** The parser of a language. What has to be loaded is skipped, and read once it is here. */
function parserOf(language: string): Parser | null {
  const ready = parserNow(language);
  return ready === undefined ? ParseContext.getSkippingParser(loadParser(language)) : ready;
}

const code = parseMixed((node, input) => {
  if (node.name === 'FencedCode') {
    const info = node.node.getChild('CodeInfo');
    const language = info && /^\S+/.exec(input.read(info.from, info.to))?.[0];
    const parser = language ? parserOf(language) : null;
    return parser && { parser, overlay: ({ name }) => name === 'CodeText', bracketed: true };
  }
  if (node.name === 'HTMLBlock' || node.name === 'HTMLTag') {
    const parser = parserOf('html');
    return parser && { parser };
  }
  return null;
});

/**
 * Markdown in the editor, made of the library's parts: its ready-made language would bring HTML, CSS and JavaScript
 * along whether a note holds any or not.
 */
export const noteLanguage = new Language(
  markdownLanguage.data,
  (markdownLanguage.parser as MarkdownParser).configure([
    { remove: ['Subscript', 'Superscript', 'Emoji'] },
    dialect,
    { wrap: code },
  ]),
  [],
  'markdown',
);

/** A note's language with the keys that go on with a list and the paste that makes a link. */
export const markdownNote: Extension = [noteLanguage.extension, pasteURLAsLink, Prec.high(keymap.of(markdownKeymap))];
