import { describe, expect, it } from 'vitest';

import { Layout } from './layout.svelte';

function at(width: number, change: (layout: Layout) => void = () => {}) {
  const layout = new Layout();
  layout.windowWidth = width;
  change(layout);
  return layout;
}

describe('Layout', () => {
  it('shows three columns from 1120 on, and a drawer below', () => {
    const wide = at(1120);
    expect([wide.leftShown, wide.rightShown]).toEqual([true, true]);
    const narrow = at(1119);
    expect([narrow.leftShown, narrow.rightShown, narrow.drawerShown]).toEqual([false, true, false]);
    narrow.toggleLeft();
    expect(narrow.drawerShown).toBe(true);
  });

  it('keeps the left and hides the right for what needs it, in a narrow window only', () => {
    const keep = (layout: Layout) => (layout.keepsLeft = true);
    expect([at(1000, keep).leftShown, at(1000, keep).rightShown]).toEqual([true, false]);
    expect([at(1440, keep).leftShown, at(1440, keep).rightShown]).toEqual([true, true]);
  });

  it('shows the right pane in the place of the left one to who asks for it', () => {
    const layout = at(1000, (narrow) => narrow.keepLeft(true));
    layout.showRight('assistant');
    expect([layout.leftShown, layout.rightShown]).toEqual([false, true]);
    layout.showLeft('search');
    expect([layout.leftShown, layout.rightShown]).toEqual([true, false]);
    layout.toggleRight();
    expect(layout.rightShown).toBe(true);
    layout.keepLeft(true);
    expect([layout.leftShown, layout.rightShown]).toEqual([true, false]);
  });

  it('never lets the middle below its minimum', () => {
    for (const width of [700, 900, 1000, 1120, 1300, 1920]) {
      const layout = at(width, (wanted) => {
        wanted.resizeLeft(420);
        wanted.resizeRight(720);
      });
      const middle = layout.width - layout.leftFitted - layout.rightFitted;
      expect(middle, `${width}`).toBeGreaterThanOrEqual(420);
    }
  });

  it('leaves every group of a split its minimum, and says no to a pane only until the reader insists', () => {
    const split = (layout: Layout) => (layout.groups = 2);
    const usual = at(1440, split);
    expect([usual.leftFitted, usual.rightFitted]).toEqual([252, 348]);
    const less = at(1300, split);
    expect([less.leftShown, less.rightShown]).toEqual([false, true]);
    expect(less.width - less.rightFitted).toBeGreaterThanOrEqual(840);
    const small = at(1000, split);
    expect([small.leftShown, small.rightShown]).toEqual([false, false]);
    small.toggleRight();
    expect(small.rightShown).toBe(true);
    small.toggleRight();
    expect([small.rightShown, small.rightOpen]).toEqual([false, false]);
  });

  it('gives the text room in a narrow window', () => {
    const layout = at(900);
    expect(layout.width - layout.rightFitted).toBe(560);
  });

  it('holds widths in their bounds', () => {
    const layout = at(1920);
    layout.resizeLeft(20);
    layout.resizeRight(5000);
    expect([layout.leftWidth, layout.rightWidth]).toEqual([200, 720]);
  });

  it('follows the middle, and goes back unless the reader chose otherwise', () => {
    const layout = at(1440);
    layout.follow('search');
    expect(layout.leftTab).toBe('search');
    layout.follow(undefined);
    expect(layout.leftTab).toBe('files');
    layout.follow('changes');
    layout.leftTab = 'search';
    layout.follow(undefined);
    expect(layout.leftTab).toBe('search');
  });
});
