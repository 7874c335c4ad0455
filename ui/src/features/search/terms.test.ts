import { describe, expect, it } from 'vitest';

import { completed, fitting, keysFor, pieceAt, termsOf, without } from './terms';

const said = (text: string) => termsOf(text).map(({ key, value, not }) => `${not ? '-' : ''}${key}=${value}`);

describe('termsOf', () => {
  it('finds operators with their values, in quotes too', () => {
    expect(said('daylight tag:glass -path:"Old notes" in:工作室 line:(a b) x')).toEqual(['tag=glass', '-path=Old notes', 'in=工作室', 'line=a b']);
  });

  it('takes no other word for one', () => {
    for (const text of ['http://x.y', 'tag:', 'tag: ', 'note: this', '"tag:glass"', 'stage:x']) expect(said(text), text).toEqual([]);
  });
});

describe('without', () => {
  it('leaves the words apart as they were', () => {
    const text = 'glass tag:roof iron';
    const [term] = termsOf(text);
    expect(term && without(text, term)).toBe('glass iron');
    const [only] = termsOf('tag:roof ');
    expect(only && without('tag:roof ', only)).toBe('');
  });
});

describe('pieceAt', () => {
  it('is what ends at the caret', () => {
    expect(pieceAt('glass type:pd', 13)).toEqual({ start: 11, end: 13, key: 'type', value: 'pd' });
    expect(pieceAt('glass in:', 9)).toEqual({ start: 9, end: 9, key: 'in', value: '' });
    expect(pieceAt('path:"Old no', 12)).toMatchObject({ key: 'path', value: 'Old no' });
    expect(pieceAt('be', 2)).toEqual({ start: 0, end: 2, key: undefined, value: 'be' });
    expect(pieceAt('glass ', 6)).toBeUndefined();
    expect(pieceAt('glass', 3)).toBeUndefined();
  });
});

it('offers operators for the beginning of their names', () => {
  expect(keysFor({ start: 0, end: 2, key: undefined, value: 'be' })).toEqual(['before']);
  expect(keysFor({ start: 0, end: 1, key: undefined, value: 't' })).toEqual([]);
  expect(keysFor({ start: 0, end: 4, key: 'type', value: '' })).toEqual([]);
});

it('offers values that begin so first, and none that is written already', () => {
  expect(fitting(['pdf', 'epub', 'excel'], 'e')).toEqual(['epub', 'excel']);
  expect(fitting(['epub', 'pub'], 'pub')).toEqual(['epub']);
});

it('writes a value out, in quotes where it has blanks', () => {
  expect(completed('x in:St', { start: 5, end: 7, key: 'in', value: 'St' }, 'Studio notes')).toEqual({ text: 'x in:"Studio notes" ', caret: 20 });
  expect(completed('type:p roof', { start: 5, end: 6, key: 'type', value: 'p' }, 'pdf')).toEqual({ text: 'type:pdf roof', caret: 9 });
});
