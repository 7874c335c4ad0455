import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** The two values of every colour that is written once for both themes. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9A-F]{6}),\s*(#[0-9A-F]{6})\)/gi)].map(([, name, light, dark]) => [
    name ?? '',
    { light: light ?? '', dark: dark ?? '' },
  ]),
);

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** WCAG 2.2, 1.4.3: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['bg-chrome', 'bg-page', 'bg-raised', 'bg-sunken', 'bg-hover', 'bg-selected'];

const TEXT: [ink: string, grounds: string[]][] = [
  ['text', [...GROUNDS, 'accent-tint', 'find', 'find-current', 'selection', 'add-bg', 'add-mark', 'remove-bg', 'remove-mark', 'warn-bg', 'danger-bg', 'info-bg', 'plan-bg']],
  ['text-2', [...GROUNDS, 'warn-bg', 'danger-bg', 'info-bg']],
  ['text-3', GROUNDS],
  ['accent-text', ['bg-chrome', 'bg-page', 'bg-raised', 'accent-tint']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-danger', ['danger-fill']],
  ['add', ['add-bg', 'bg-page', 'bg-chrome']],
  ['remove', ['remove-bg', 'bg-page', 'bg-chrome']],
  ['warn', ['warn-bg', 'bg-page', 'bg-chrome']],
  ['danger', ['danger-bg', 'bg-page', 'bg-raised']],
  ['info', ['info-bg', 'bg-page']],
  ['l1', ['l1-bg']],
  ['l2', ['l2-bg']],
  ['l3', ['l3-bg']],
  ['l4', ['l4-bg']],
  ['plan', ['plan-bg']],
];

const SHAPES: [ink: string, grounds: string[]][] = [
  ['line-control', ['bg-chrome', 'bg-page', 'bg-raised', 'bg-sunken']],
  ['accent-line', ['bg-chrome', 'bg-page', 'bg-raised']],
  ['focus', ['bg-chrome', 'bg-page', 'bg-raised', 'bg-selected']],
];

describe.each(['light', 'dark'] as const)('contrast in the %s theme', (theme) => {
  const colour = (name: string) => {
    const value = colours.get(name);
    if (value === undefined) throw new Error(`no colour --${name}`);
    return value[theme];
  };
  const pairs = (table: typeof TEXT) => table.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const));

  it.each(pairs(TEXT))('text %s on %s', (ink, ground) => {
    expect(contrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(SHAPES))('shape %s on %s', (ink, ground) => {
    expect(contrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(3);
  });
});
