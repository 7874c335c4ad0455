import { describe, expect, it } from 'vitest';
import { segment, Segments } from './segments';

function stream(text: string, size: number): Segments {
  const segments = new Segments();
  for (let at = 0; at < text.length; at += size) segments.push(text.slice(at, at + size));
  return segments;
}

describe('streamed Markdown', () => {
  const answer = [
    'You promised **2.1 %**[1].',
    '- one\n\n- two\n\n  more of two',
    '```js\na\n\nb\n```',
    '1. first\n2. second',
    '承诺已覆盖【2】。',
  ].join('\n\n');

  it('ends in the same blocks however it was cut', () => {
    const whole = segment(answer);
    expect(whole.map((part) => part.trim().split('\n')[0])).toEqual([
      'You promised **2.1 %**[1].',
      '- one',
      '```js',
      '1. first',
      '承诺已覆盖【2】。',
    ]);
    for (const size of [1, 2, 7, 40]) {
      const streamed = stream(answer, size);
      expect(streamed.text).toBe(answer);
      expect([...streamed.finished, streamed.tail]).toEqual(whole);
    }
  });

  it('never changes a finished block', () => {
    const segments = new Segments();
    let seen: string[] = [];
    for (const letter of answer) {
      segments.push(letter);
      expect(segments.finished.slice(0, seen.length)).toEqual(seen);
      seen = [...segments.finished];
    }
    expect(seen.length).toBe(4);
  });

  it('keeps an unclosed fence together', () => {
    expect(segment('```\na\n\nb\n\nc')).toEqual(['```\na\n\nb\n\nc']);
  });
});
