import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { quotedLines } from './quote';

const note = (...lines: string[]) => Text.of(lines);
const quote = '…citrus trees spend the winter in the orangery.…';

describe('quotedLines', () => {
  it('believes the lines while the quote stands there', () => {
    const text = note('# Winter', '', 'The citrus trees spend', 'the winter in the orangery.', '', 'More.');
    expect(quotedLines(text, { line: 4, quote })).toEqual({ start: 4, end: 4 });
    expect(quotedLines(text, { line: 3, endLine: 4, quote })).toEqual({ start: 3, end: 4 });
  });

  it('finds a passage that has moved, however it is marked up', () => {
    const text = note('new', 'new', '', 'The **citrus** [[Tree|trees]] spend the', '[winter](https://a.example/x) in the *orangery*.', '', 'End.');
    expect(quotedLines(text, { line: 2, endLine: 2, quote })).toEqual({ start: 4, end: 5 });
    expect(quotedLines(note('一', '二', '三', '铸铁窗框比木窗框更**纤细**。'), { line: 1, quote: '铸铁窗框比木窗框更纤细。' })).toEqual({ start: 4, end: 4 });
  });

  it('takes the nearest of several', () => {
    const line = 'Citrus trees spend the winter in the orangery.';
    const text = note(line, '', '', '', '', line, '', line);
    expect(quotedLines(text, { line: 4, quote })).toEqual({ start: 6, end: 6 });
  });

  it('believes the lines when the quote is gone, or was none', () => {
    expect(quotedLines(note('a', 'b'), { line: 2, quote })).toEqual({ start: 2, end: 2 });
    expect(quotedLines(note('a', 'b'), { line: 1, endLine: 2 })).toEqual({ start: 1, end: 2 });
    expect(quotedLines(note('a', 'b'), { line: 2, quote: '…' })).toEqual({ start: 2, end: 2 });
  });
});
