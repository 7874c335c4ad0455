// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Page } from './page';

const port = { imageUrl: () => Promise.resolve(null), leads: () => true, watch: () => () => {}, notYet: 'not there' };
const COUNT = 600;
const long = (word: string) => Array.from({ length: COUNT }, (_, n) => `Paragraph ${n} with some words, ${word.repeat(160)}.`).join('\n\n');

function page() {
  const element = document.createElement('div');
  return { element, made: new Page(element, port) };
}

/** Every slice that is left. */
const all = () => vi.runAllTimers();

describe('Page', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('draws what a long note begins with at once, and the rest in order', () => {
    const { element, made } = page();
    made.show(long('x'), { firstLine: 1 });
    const first = element.children.length;
    expect(first).toBeGreaterThan(50);
    expect(first).toBeLessThan(300);
    all();
    expect(element.children.length).toBe(COUNT);
    const texts = [...element.children].map(({ textContent }) => textContent);
    expect(texts).toEqual(long('x').split('\n\n'));
  });

  it('goes to a line that is not drawn yet', () => {
    const { element, made } = page();
    made.show(long('x'), { firstLine: 1 });
    made.drawTo(1001);
    expect(element.querySelector('[data-line="1001"]')?.textContent).toContain('Paragraph 500 ');
    all();
    expect(element.children.length).toBe(COUNT);
  });

  it('follows its source while it is being drawn, and keeps what did not change', () => {
    const { element, made } = page();
    made.show(long('x'), {});
    const kept = element.children[3];
    const changed = long('x').replace('Paragraph 10 ', 'Paragraph ten ').replace('Paragraph 599 ', 'The last ');
    made.show(changed, {});
    all();
    expect(element.children[3]).toBe(kept);
    expect([...element.children].map(({ textContent }) => textContent)).toEqual(changed.split('\n\n'));
    const late = changed.replace('Paragraph 400 ', 'The middle ');
    made.show(late, {});
    all();
    expect([...element.children].map(({ textContent }) => textContent)).toEqual(late.split('\n\n'));
    made.show('short', {});
    all();
    expect(element.textContent).toBe('short');
  });

  it('ends with its view', () => {
    const { element, made } = page();
    made.show(long('x'), {});
    made.destroy();
    const then = element.children.length;
    all();
    expect(element.children.length).toBe(then);
  });
});
