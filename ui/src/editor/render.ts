import DOMPurify from 'dompurify';
import MarkdownIt, { type StateInline } from 'markdown-it';
import { decodeAddress, isOutside, splitFragment } from './links';
import type { WrittenLink } from './note-port';

export interface RenderOptions {
  /** Reads `[n]` as a citation. */
  citations?: boolean;
  /** Writes the source line of each block into `data-line`, counted from this number. */
  firstLine?: number;
}

interface Environment extends RenderOptions {
  task?: boolean;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Every address is kept as it is written; what may be loaded is decided below, not by its scheme.
markdown.validateLink = (address) => !/^\s*(javascript|vbscript|data):/i.test(address);
markdown.inline.ruler.before('link', 'wiki', wikiRule);
markdown.inline.ruler.before('link', 'cite', citeRule);
markdown.core.ruler.after('inline', 'tasks', (state) => {
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== 'inline' || state.tokens[index - 2]?.type !== 'list_item_open') continue;
    const sign = /^\[([ xX])\](?=\s|$)/.exec(token.content);
    const first = token.children?.[0];
    if (!sign || first?.type !== 'text' || !first.content.startsWith(sign[0])) continue;
    first.content = first.content.slice(sign[0].length).trimStart();
    const done = sign[1] !== ' ';
    state.tokens[index - 2]?.attrJoin('class', done ? 'task task-done' : 'task');
    const box = new state.Token('task', '', 0);
    box.meta = { done };
    token.children?.unshift(box);
  }
});
markdown.core.ruler.after('inline', 'callouts', (state) => {
  for (const [index, token] of state.tokens.entries()) {
    const inline = state.tokens[index + 2];
    if (token.type !== 'blockquote_open' || inline?.type !== 'inline') continue;
    const label = /^\[!([\w-]+)\][ \t]*/.exec(inline.content);
    const first = inline.children?.[0];
    if (!label?.[1] || !inline.children || first?.type !== 'text' || !first.content.startsWith(label[0].trimEnd()))
      continue;
    token.attrJoin('class', `callout callout-${label[1].toLowerCase()}`);
    first.content = first.content.slice(label[0].length) || label[1];
    const found = inline.children.findIndex(({ type }) => type === 'softbreak');
    const end = found < 0 ? inline.children.length : found;
    inline.children.splice(
      end,
      found < 0 ? 0 : 1,
      new state.Token('strong_close', 'strong', -1),
      new state.Token('hardbreak', 'br', 0),
    );
    inline.children.unshift(new state.Token('strong_open', 'strong', 1));
  }
});
markdown.core.ruler.push('lines', (state) => {
  const { firstLine } = state.env as Environment;
  if (firstLine === undefined) return;
  for (const token of state.tokens) {
    if (token.map && token.nesting >= 0) token.attrSet('data-line', String(token.map[0] + firstLine));
  }
});

const escape = markdown.utils.escapeHtml;

markdown.renderer.rules['task'] = (tokens, index) => {
  const done = (tokens[index]?.meta as { done: boolean } | undefined)?.done === true;
  return `<input type="checkbox" class="task-box"${done ? ' checked' : ''} disabled>`;
};
markdown.renderer.rules['cite'] = (tokens, index) =>
  `<button type="button" class="cite" data-cite="${escape(tokens[index]?.content ?? '')}">${escape(tokens[index]?.content ?? '')}</button>`;
markdown.renderer.rules['wiki'] = (tokens, index) => {
  const { target, label, embed } = tokens[index]?.meta as { target: string; label: string; embed: boolean };
  const attributes = `data-kind="${embed ? 'embed' : 'wiki'}" data-target="${escape(target)}"`;
  return embed && /\.(png|jpe?g|webp|gif|svg)$/i.test(target)
    ? `<img class="picture" ${attributes} alt="${escape(label)}">`
    : `<a href="#" class="wiki" ${attributes}>${escape(label)}</a>`;
};
// Images name their target; the view gives those of the knowledge base an address.
markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  return `<img class="picture" data-kind="image" data-target="${escape(String(token?.attrGet('src') ?? ''))}" alt="${escape(token?.content ?? '')}">`;
};
markdown.renderer.rules['link_open'] = (tokens, index) =>
  `<a href="#" data-kind="inline" data-target="${escape(String(tokens[index]?.attrGet('href') ?? ''))}">`;

function wikiRule(state: StateInline, silent: boolean): boolean {
  const source = state.src;
  const embed = source.startsWith('![[', state.pos);
  const open = embed ? state.pos + 1 : state.pos;
  if (!source.startsWith('[[', open)) return false;
  const close = source.indexOf(']]', open + 2);
  const inner = close < 0 ? '' : source.slice(open + 2, close);
  if (!inner.trim() || inner.includes('[[') || inner.includes('\n')) return false;
  if (!silent) {
    // Inside a table the bar is written as `\|`.
    const bar = inner.search(/\\?\|/);
    const target = (bar < 0 ? inner : inner.slice(0, bar)).trim();
    const label = bar < 0 ? target : inner.slice(inner.indexOf('|', bar) + 1).trim();
    state.push('wiki', '', 0).meta = { target, label: label || target, embed };
  }
  state.pos = close + 2;
  return true;
}

/** The numbers of a citation marker at `position`: `[1]`, `[1, 2]` or the full-width `【1】`. */
export function citationMarker(source: string, position: number): { numbers: number[]; length: number } | null {
  const found =
    /^(?:\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\](?!\(|:|\[(?!\d))|【(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)】)/.exec(
      source.slice(position, position + 40),
    );
  const list = found?.[1] ?? found?.[2];
  if (!found || !list) return null;
  return { numbers: list.split(/[,，、]/).map(Number), length: found[0].length };
}

function citeRule(state: StateInline, silent: boolean): boolean {
  if ((state.env as Environment).citations !== true) return false;
  const marker = citationMarker(state.src, state.pos);
  if (!marker) return false;
  if (!silent) {
    for (const value of marker.numbers) state.push('cite', '', 0).content = String(value);
  }
  state.pos += marker.length;
  return true;
}

// Belt and braces: raw HTML is off, and what is made here passes a list of what a note may hold.
const purifier = DOMPurify();
const ALLOWED = {
  ALLOWED_TAGS:
    'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s a img table thead tbody tr th td button input span div'.split(
      ' ',
    ),
  ALLOWED_ATTR: [
    'href',
    'class',
    'data-kind',
    'data-target',
    'data-cite',
    'data-line',
    'alt',
    'type',
    'checked',
    'disabled',
    'start',
    'style',
  ],
  ALLOWED_URI_REGEXP: /^#$/,
  ADD_URI_SAFE_ATTR: ['type', 'start'],
};
purifier.addHook('uponSanitizeAttribute', (_node, data) => {
  // Column alignment is the only style a table writes.
  if (data.attrName === 'style' && !/^text-align:(left|right|center)$/.test(data.attrValue)) {
    data.keepAttr = false;
  }
});

/** Markdown as HTML that loads nothing and runs nothing. */
export function renderMarkdown(source: string, options: RenderOptions = {}): string {
  return purifier.sanitize(markdown.render(source, { ...options }), ALLOWED);
}

/** The link that an element of rendered Markdown stands for. */
export function linkOfElement(element: Element): WrittenLink | null {
  const holder = element.closest<HTMLElement>('a[data-kind]');
  return holder ? linkOfData(holder) : null;
}

/** The link written into an element's data. */
export function linkOfData(element: HTMLElement): WrittenLink | null {
  const { kind, target } = element.dataset;
  if (target === undefined) return null;
  if (kind === 'wiki' || kind === 'embed') return { kind, ...splitFragment(target) };
  const written = decodeAddress(target);
  const place = isOutside(written) ? { target: written, fragment: null } : splitFragment(written);
  return { kind: kind === 'image' ? 'image' : 'inline', ...place };
}
