// @vitest-environment jsdom
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { ensureSyntaxTree, forceParsing } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { blockPreview } from './blocks';
import { trackFocus } from './focus';
import { frontMatter } from './syntax';

const TABLE = '| a | b |\n|---|---|\n| 1 | 2 |';

function editor(doc: string): EditorView {
  const extensions = [markdown({ base: markdownLanguage, extensions: [frontMatter] }), trackFocus, blockPreview];
  const state = EditorState.create({ doc, extensions });
  ensureSyntaxTree(state, doc.length, 1000);
  const view = new EditorView({ state, parent: document.body });
  forceParsing(view, doc.length, 1000);
  return view;
}

/** What is shown as a block, by its source. */
function blocksOf({ state }: EditorView): string[] {
  const found: string[] = [];
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === 'function') continue;
    set.between(0, state.doc.length, (from, to) => void found.push(state.sliceDoc(from, to)));
  }
  return found;
}

describe('blocks', () => {
  it('follow the text that is typed around them', () => {
    const view = editor(`---\ntags: [a]\n---\n\ntext\n\n${TABLE}\n\nend`);
    expect(blocksOf(view)).toEqual(['---\ntags: [a]\n---', TABLE]);
    view.dispatch({ changes: { from: 19, insert: 'more ' } });
    expect(blocksOf(view)).toEqual(['---\ntags: [a]\n---', TABLE]);
    const at = view.state.doc.toString().indexOf('| 1');
    view.dispatch({ changes: { from: at, insert: '| 0 | 0 |\n' } });
    expect(blocksOf(view)[1]).toBe('| a | b |\n|---|---|\n| 0 | 0 |\n| 1 | 2 |');
    view.dispatch({ changes: { from: view.state.doc.toString().indexOf('| a'), to: view.state.doc.length } });
    expect(blocksOf(view)).toEqual(['---\ntags: [a]\n---']);
  });

  it('keep far ones while something near is written', () => {
    const gap = 'a paragraph of text\n\n'.repeat(800);
    const view = editor(`${TABLE}\n\n${gap}${TABLE}\n\nend`);
    expect(blocksOf(view).length).toBe(2);
    view.dispatch({ changes: { from: view.state.doc.length, insert: ' more' } });
    expect(blocksOf(view)).toEqual([TABLE, TABLE]);
    view.dispatch({ changes: { from: 0, insert: 'start\n\n' } });
    expect(blocksOf(view)).toEqual([TABLE, TABLE]);
  });
});
