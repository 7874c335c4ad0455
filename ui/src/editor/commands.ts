import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type ChangeSpec, type EditorState } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

interface Wrap {
  node: string;
  mark: string;
  sign: string;
}

const STRONG: Wrap = { node: 'StrongEmphasis', mark: 'EmphasisMark', sign: '**' };
const EMPHASIS: Wrap = { node: 'Emphasis', mark: 'EmphasisMark', sign: '*' };

export const toggleStrong: Command = (view) => toggle(view, STRONG);
export const toggleEmphasis: Command = (view) => toggle(view, EMPHASIS);

function around(state: EditorState, from: number, to: number, name: string): SyntaxNode | null {
  for (const side of [1, -1] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(from, side);
    for (; node; node = node.parent) {
      if (node.name === name && node.from <= from && node.to >= to) return node;
    }
  }
  return null;
}

/** Takes the signs away where the selection stands in the construct, else puts them around it. */
function toggle(view: EditorView, { node: name, mark, sign }: Wrap): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const change = state.changeByRange((selected) => {
    const node = around(state, selected.from, selected.to, name);
    const marks = node?.getChildren(mark) ?? [];
    const [open, close] = [marks[0], marks.at(-1)];
    if (open && close && open !== close) {
      const changes = state.changes([
        { from: open.from, to: open.to },
        { from: close.from, to: close.to },
      ]);
      return { changes, range: selected.map(changes) };
    }
    const range = selected.empty ? (state.wordAt(selected.head) ?? selected) : selected;
    return {
      changes: [
        { from: range.from, insert: sign },
        { from: range.to, insert: sign },
      ],
      range: selected.empty
        ? EditorSelection.cursor(selected.head + sign.length)
        : EditorSelection.range(selected.anchor + sign.length, selected.head + sign.length),
    };
  });
  view.dispatch(state.update(change, { userEvent: 'input.format', scrollIntoView: true }));
  return true;
}

/** Makes the selection a link, with the caret where the address goes. */
export const insertLink: Command = (view) => {
  const { state } = view;
  if (state.readOnly) return false;
  const change = state.changeByRange((range) => {
    const text = state.sliceDoc(range.from, range.to);
    const address = /^https?:\/\/\S+$/.test(text);
    const insert = address ? `[](${text})` : `[${text}]()`;
    const caret = range.from + (address || !text ? 1 : insert.length - 1);
    return {
      changes: { from: range.from, to: range.to, insert },
      range: EditorSelection.cursor(caret),
    };
  });
  view.dispatch(state.update(change, { userEvent: 'input.format', scrollIntoView: true }));
  return true;
};

const ITEM = /^(\s*(?:>\s*)*)(?:([-*+]|\d+[.)])\s+)?(?:\[([ xX])\]\s+)?/;

/** Ticks or unticks the tasks of the selected lines; a plain line becomes a task. */
export const toggleTask: Command = (view) => {
  const { state } = view;
  if (state.readOnly) return false;
  const changes: ChangeSpec[] = [];
  const seen = new Set<number>();
  for (const range of state.selection.ranges) {
    for (let at = range.from; at <= range.to;) {
      const line = state.doc.lineAt(at);
      at = line.to + 1;
      if (seen.has(line.from)) continue;
      seen.add(line.from);
      const parts = ITEM.exec(line.text);
      const indent = parts?.[1] ?? '';
      const start = line.from + (parts?.[0].length ?? 0);
      if (parts?.[3] !== undefined) {
        const sign = line.from + line.text.indexOf('[', indent.length) + 1;
        changes.push({ from: sign, to: sign + 1, insert: parts[3] === ' ' ? 'x' : ' ' });
      } else if (parts?.[2] !== undefined) {
        changes.push({ from: start, insert: '[ ] ' });
      } else {
        changes.push({ from: line.from + indent.length, insert: '- [ ] ' });
      }
    }
  }
  view.dispatch({ changes, userEvent: 'input.task', scrollIntoView: true });
  return true;
};

/** Whether Tab should indent: only inside a list item or code. */
export function indentsHere(state: EditorState): boolean {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(state.selection.main.head, -1);
  for (; node; node = node.parent) {
    if (node.name === 'ListItem' || node.name === 'FencedCode' || node.name === 'CodeBlock') return true;
  }
  return false;
}
