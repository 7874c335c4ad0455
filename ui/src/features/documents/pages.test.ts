import { describe, expect, it } from 'vitest';
import { drawnWidth } from './address';
import { GAP, placed, Stack } from './pages';
import { Zoom } from './zoom.svelte';

const word = (text: string, left: number, top: number, block = 1, width = text.length * 5) => ({
  text,
  block,
  area: { left, top, right: left + width, bottom: top + 10 },
});

describe('Stack', () => {
  const pages = [{ width: 100, height: 200 }, { width: 300, height: 50 }, { width: 0, height: 0 }];
  const stack = new Stack(pages, 2);

  it('lays pages below one another, apart', () => {
    expect([stack.top(1), stack.top(2), stack.top(3)]).toEqual([GAP, 400 + 2 * GAP, 500 + 3 * GAP]);
    expect(stack.total).toBe(500 + 4 * GAP + 842 * 2);
  });

  it('finds the page at a height', () => {
    expect([-500, 0, 399, stack.top(2) - GAP - 1, stack.top(2) - GAP, stack.top(2), stack.top(3), 1e9].map((at) => stack.at(at))).toEqual([1, 1, 1, 1, 2, 2, 3, 3]);
  });
});

describe('placed', () => {
  const copied = (words: Parameters<typeof placed>[0]) => placed(words).map(({ text, after }) => text + after).join('');

  it('copies as one reads it', () => {
    expect(copied([word('The', 0, 0), word('plan', 20, 0), word('goes', 0, 12), word('Next', 0, 40, 2)])).toBe('The plan goes\nNext');
  });

  it('puts no blank into Han across lines, nor between what touches', () => {
    expect(copied([word('采光', 0, 0, 1, 20), word('系数', 0, 12, 1, 20)])).toBe('采光系数');
    expect(copied([word('Fig', 0, 0), word('.', 15, 0)])).toBe('Fig.');
  });

  it('sees columns of vertical signs', () => {
    const [tall] = placed([{ text: '縦書き', block: 1, area: { left: 0, top: 0, right: 10, bottom: 30 } }]);
    expect(tall?.vertical).toBe(true);
  });
});

it('draws pages in few widths, never much coarser than the screen', () => {
  expect([100, 640, 690, 1000, 9000].map(drawnWidth)).toEqual([320, 640, 640, 960, 3200]);
  for (let pixels = 50; pixels < 3000; pixels += 50) expect(drawnWidth(pixels)).toBeGreaterThan(pixels * 0.9);
});

describe('Zoom', () => {
  it('steps from where it is, and goes back to what fits', () => {
    const zoom = new Zoom();
    zoom.fitting = 0.72;
    zoom.larger();
    expect(zoom.share).toBe(0.8);
    zoom.press('+');
    expect(zoom.share).toBe(1);
    zoom.press('0');
    expect(zoom.share).toBe(0.72);
    zoom.smaller();
    expect(zoom.share).toBe(0.67);
    expect(zoom.press('x')).toBe(false);
  });

  it('stays within its bounds', () => {
    const zoom = new Zoom();
    zoom.turn(1e6);
    expect(zoom.share).toBe(0.1);
    zoom.smaller();
    expect(zoom.share).toBe(0.1);
    zoom.turn(-1e6);
    zoom.larger();
    expect(zoom.share).toBe(8);
  });
});
