import { tags } from '@lezer/highlight';
import { GFM, InlineContext, type BlockContext, type MarkdownConfig, type MarkdownExtension } from '@lezer/markdown';

const OPEN_BRACKET = 91;
const EXCLAMATION = 33;
const HASH = 35;

/** `[[target#fragment|alias]]` and `![[target]]`. */
export const wikiLinks: MarkdownConfig = {
  defineNodes: [
    { name: 'WikiLink' },
    { name: 'WikiEmbed' },
    { name: 'WikiMark', style: tags.processingInstruction },
    { name: 'WikiTarget', style: tags.link },
    { name: 'WikiAlias', style: tags.link },
  ],
  parseInline: [{ name: 'WikiLink', parse: parseWikiLink, before: 'Link' }],
};

function parseWikiLink(context: InlineContext, next: number, start: number): number {
  const embed = next === EXCLAMATION;
  const open = embed ? start + 1 : start;
  if (context.char(open) !== OPEN_BRACKET || context.char(open + 1) !== OPEN_BRACKET) return -1;
  const inner = open + 2;
  const rest = context.slice(inner, context.end);
  const length = rest.search(/\]\]|\[\[|\n/);
  if (length <= 0 || !rest.startsWith(']]', length)) return -1;
  // An inline link whose text is in brackets.
  if (/^\]\]\(\w+:/.test(rest.slice(length))) return -1;
  const close = inner + length;
  // Inside a table the bar is written as `\|`.
  const bar = rest.slice(0, length).search(/\\?\|/);
  const sign = rest[bar] === '\\' ? 2 : 1;
  const children = [context.elt('WikiMark', start, inner)];
  if (bar >= 0) {
    children.push(
      context.elt('WikiTarget', inner, inner + bar),
      context.elt('WikiMark', inner + bar, inner + bar + sign),
      context.elt('WikiAlias', inner + bar + sign, close),
    );
  } else {
    children.push(context.elt('WikiTarget', inner, close));
  }
  children.push(context.elt('WikiMark', close, close + 2));
  return context.addElement(context.elt(embed ? 'WikiEmbed' : 'WikiLink', start, close + 2, children));
}

const CLOSE_BRACKET = 93;

/**
 * Brackets inside a link's text. The library takes each pair for a link of its own, and a link may hold no other, so
 * that `[parse(source[, options])](api.md)` would be none.
 */
const brackets: MarkdownConfig = {
  parseInline: [
    {
      name: 'Brackets',
      before: 'LinkEnd',
      parse(context, next, start) {
        if (next !== CLOSE_BRACKET || /^[([:]/.test(context.slice(start + 1, start + 2))) return -1;
        const open = context.findOpeningDelimiter(InlineContext.linkStart);
        if (open === null || (context.findOpeningDelimiter(InlineContext.imageStart) ?? -1) > open) return -1;
        const from = context.getDelimiterAt(open)?.from ?? start;
        const content = context.takeContent(open);
        if (context.findOpeningDelimiter(InlineContext.linkStart) === null) {
          // The outermost pair: perhaps a link by its own text.
          const mark = (at: number) => context.elt('LinkMark', at, at + 1);
          return context.addElement(context.elt('Link', from, start + 1, [mark(from), ...content, mark(start)]));
        }
        for (const element of content) context.addElement(element);
        return start + 1;
      },
    },
  ],
};

/** `#tag` at a word's start; a run of digits alone is an issue number, not a tag. */
export const hashtags: MarkdownConfig = {
  defineNodes: [{ name: 'Hashtag', style: tags.tagName }],
  parseInline: [
    {
      name: 'Hashtag',
      parse(context, next, start) {
        if (next !== HASH) return -1;
        const before = start > context.offset ? context.slice(start - 1, start) : ' ';
        if (!/[\s(（，。、：；]/.test(before)) return -1;
        const tag = /^#(?!\d+(?![\p{L}\p{N}_/-]))[\p{L}\p{N}_/-]+/u.exec(context.slice(start, context.end));
        return tag ? context.addElement(context.elt('Hashtag', start, start + tag[0].length)) : -1;
      },
      before: 'Emphasis',
    },
  ],
};

/** The `---` block that opens a note, which Markdown would read as a rule and a heading. */
export const frontMatter: MarkdownConfig = {
  defineNodes: [
    { name: 'FrontMatter', block: true, style: { 'FrontMatter/...': tags.meta } },
    { name: 'FrontMatterMark', style: tags.processingInstruction },
  ],
  parseBlock: [{ name: 'FrontMatter', parse: parseFrontMatter, before: 'HorizontalRule' }],
};

function parseFrontMatter(context: BlockContext, line: { text: string }): boolean {
  if (context.lineStart !== 0 || !/^---\s*$/.test(line.text)) return false;
  const open = context.elt('FrontMatterMark', 0, 3);
  // A rule at the top of a long note must not swallow it: front matter is short.
  for (let read = 0; read < 100 && context.nextLine(); read++) {
    if (/^(---|\.\.\.)\s*$/.test(line.text)) {
      const end = context.lineStart + 3;
      const close = context.elt('FrontMatterMark', context.lineStart, end);
      context.nextLine();
      context.addElement(context.elt('FrontMatter', 0, end, [open, close]));
      return true;
    }
  }
  context.addElement(context.elt('HorizontalRule', 0, 3));
  context.addElement(context.elt('Paragraph', 4, context.prevLineEnd()));
  return true;
}

/** Markdown as notes are written in it: what the editor draws and the reading view reads. */
export const dialect: MarkdownExtension = [GFM, frontMatter, wikiLinks, brackets, hashtags];
