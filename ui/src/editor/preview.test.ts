import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState, type Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { linkAt } from './links';
import { decorate } from './preview';
import { frontMatter, hashtags, wikiLinks } from './syntax';
import { propertyChips, TaskBox } from './widgets';

/** `‸` is the caret. */
function note(source: string): EditorState {
  const caret = source.indexOf('‸');
  const doc = caret < 0 ? source : source.slice(0, caret) + source.slice(caret + 1);
  const state = EditorState.create({
    doc,
    selection: { anchor: caret < 0 ? doc.length : caret },
    extensions: markdown({ base: markdownLanguage, extensions: [frontMatter, wikiLinks, hashtags] }),
  });
  ensureSyntaxTree(state, doc.length, 1000);
  return state;
}

/** The text as it shows: what is hidden is gone, boxes are drawn. */
function shown(source: string): string {
  const state = note(source);
  const pieces: string[] = [];
  let at = 0;
  const rest = (doc: Text, to: number) => pieces.push(doc.sliceString(at, to));
  decorate(state, [{ from: 0, to: state.doc.length }]).between(0, state.doc.length, (from, to, value) => {
    const spec = value.spec as { widget?: unknown; class?: string };
    if (spec.class !== undefined || from < at) return;
    rest(state.doc, from);
    if (spec.widget instanceof TaskBox) pieces.push(spec.widget.done ? '☑ ' : '☐ ');
    else if (spec.widget) pieces.push('▣');
    at = to;
  });
  rest(state.doc, state.doc.length);
  return pieces.join('');
}

describe('live preview', () => {
  it('hides signs unless the caret is in the construct', () => {
    expect(shown('# Title\n\n**bold** and *it*‸')).toBe('Title\n\nbold and *it*');
    expect(shown('## Ti‸tle\n\n~~gone~~ `code`')).toBe('## Title\n\ngone code');
    expect(shown('# ‸')).toBe('# ');
  });

  it('shows links as their text', () => {
    expect(shown('see [Brief](brief.md) and [[Notes/Plan|the plan]], [[Glare]]\n\n‸')).toBe(
      'see Brief and the plan, Glare\n\n',
    );
    expect(shown('<https://a.example> www.b.example\n\n‸')).toBe('https://a.example www.b.example\n\n');
    expect(shown('a [bracket] stays\n\n‸')).toBe('a [bracket] stays\n\n');
    expect(shown('[two\nlines](x.md)\n\n‸')).toBe('two\nlines\n\n');
  });

  it('draws tasks and images', () => {
    expect(shown('- [ ] one\n- [x] two\n\n‸')).toBe('☐ one\n☑ two\n\n');
    expect(shown('- [‸x] two')).toBe('- [x] two');
    expect(shown('![a](a.png) ![[b.png]]\n\n‸')).toBe('▣ ▣\n\n');
  });

  it('reads front matter as such and not as a heading', () => {
    const state = note('---\ntitle: A\ntags: [x]\n---\n# A‸');
    expect(decorate(state, [{ from: 0, to: 24 }]).size).toBeGreaterThan(0);
    expect(shown('---\ntitle: A\n---\n\n‸text')).toBe('---\ntitle: A\n---\n\ntext');
    expect(shown('---\n\n# Real title\n\n‸')).toContain('Real title');
  });
});

describe('links', () => {
  it('knows the link under the caret', () => {
    const at = (source: string) => {
      const state = note(source);
      return linkAt(state, state.selection.main.head);
    };
    expect(at('[[Pl‸an#Costs|label]]')).toEqual({ kind: 'wiki', target: 'Plan', fragment: 'Costs' });
    expect(at('[x](a%20b.md#h‸)')).toEqual({ kind: 'inline', target: 'a b.md', fragment: 'h' });
    expect(at('<https://exa‸mple.org/#a>')).toEqual({
      kind: 'inline',
      target: 'https://example.org/#a',
      fragment: null,
    });
    expect(at('plain ‸text')).toBeNull();
  });
});

it('shows tags and dates of front matter', () => {
  expect(propertyChips("---\ntags: [riverside, '#daylight']\ndate: 2026-11-24\nother: 1\n---")).toEqual([
    '#riverside',
    '#daylight',
    '2026-11-24',
  ]);
  expect(propertyChips('---\ntags:\n  - 建筑\n  - b\ntitle: x\n---')).toEqual(['#建筑', '#b']);
});
