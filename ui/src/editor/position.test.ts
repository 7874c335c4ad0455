import { ChangeSet, EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { offsetAt, positionAt, positionEdits } from './position';
import { changesBetween, textOf } from './replace';

describe('positions', () => {
  it('counts lines from 1 and UTF-16 columns from 0', () => {
    const text = textOf('one\r\n二\u{1f34a}三\rlast');
    expect(positionAt(text, 0)).toEqual({ line: 1, column: 0 });
    expect(positionAt(text, text.line(2).from + 3)).toEqual({ line: 2, column: 3 });
    expect(positionAt(text, text.length)).toEqual({ line: 3, column: 4 });
    expect(offsetAt(text, { line: 9, column: 99 })).toBe(text.length);
  });

  it('says edits against the base whatever was typed since', () => {
    const base = textOf('a\r\nb\r\nc');
    const state = EditorState.create({ doc: base });
    const first = state.changes({ from: 2, to: 3, insert: 'B\nB' });
    const second = ChangeSet.of([{ from: 0, insert: '0' }], first.newLength);
    expect(positionEdits(base, first.compose(second))).toEqual([
      { from: { line: 1, column: 0 }, to: { line: 1, column: 0 }, insert: '0' },
      { from: { line: 2, column: 0 }, to: { line: 2, column: 1 }, insert: 'B\nB' },
    ]);
  });

  it('joins and splits lines without naming their endings', () => {
    const base = textOf('a\rb\r\nc');
    const join = ChangeSet.of({ from: 1, to: 2 }, base.length);
    expect(positionEdits(base, join)).toEqual([
      { from: { line: 1, column: 1 }, to: { line: 2, column: 0 }, insert: '' },
    ]);
  });
});

describe('replacing text from the disk', () => {
  function check(before: string, after: string, caret: number, expected: number) {
    const from = textOf(before);
    const changes = changesBetween(from, textOf(after));
    expect(changes.apply(from).toString()).toBe(textOf(after).toString());
    expect(changes.mapPos(caret)).toBe(expected);
  }

  it('changes little, so that the caret stays in its sentence', () => {
    check('one\ntwo\nthree', 'zero\none\ntwo\nthree', 6, 11);
    check('same', 'same', 2, 2);
    check('', 'new', 0, 0);
    check('a\r\nb', 'a\nb', 2, 2);
  });

  it('does the same for a text too long to compare', () => {
    const long = 'line of text\n'.repeat(40_000);
    check(`${long}end`, `start\n${long}end`, 100, 106);
  });
});
