import { describe, expect, it } from 'vitest';

import { COMMANDS, Commands, keysOf, type Surroundings } from './commands.svelte';
import { matches, type Pressed, show } from './keymap';

function press(key: string, code: string, modifiers: Partial<Pressed> = {}): Pressed {
  return { key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers };
}

const places: Surroundings[] = (['macos', 'windows', 'linux'] as const).flatMap((platform) => [
  { platform, web: false },
  { platform, web: true },
]);

describe('keys', () => {
  it('match by key, and by code where the layout has no such letter', () => {
    expect(matches(press('p', 'KeyP', { ctrlKey: true }), 'Mod+P', 'linux')).toBe(true);
    expect(matches(press('p', 'KeyR', { ctrlKey: true }), 'Mod+P', 'linux')).toBe(true); // Dvorak
    expect(matches(press('l', 'KeyP', { ctrlKey: true }), 'Mod+P', 'linux')).toBe(false);
    expect(matches(press('з', 'KeyP', { ctrlKey: true }), 'Mod+P', 'linux')).toBe(true); // Russian
    expect(matches(press('p', 'KeyP', { metaKey: true }), 'Mod+P', 'macos')).toBe(true);
    expect(matches(press('P', 'KeyP', { ctrlKey: true, shiftKey: true }), 'Mod+P', 'linux')).toBe(false);
    expect(matches(press('|', 'Backslash', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+\\', 'linux')).toBe(true);
    expect(matches(press('@', 'Digit2', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+2', 'linux')).toBe(true);
  });

  it('never fire inside a composition', () => {
    for (const inside of [{ isComposing: true }, { keyCode: 229 }]) {
      expect(matches(press('p', 'KeyP', { ctrlKey: true, ...inside }), 'Mod+P', 'linux')).toBe(false);
    }
    expect(matches(press('Process', 'F8'), 'F8', 'linux')).toBe(false);
  });

  it('are shown as the platform writes them', () => {
    expect(show('Mod+Shift+P', 'macos')).toBe('⇧⌘P');
    expect(show('Mod+Shift+P', 'windows')).toBe('Ctrl+Shift+P');
    expect(show('Alt+ArrowLeft', 'linux')).toBe('Alt+←');
  });
});

describe('the command list', () => {
  it.each(places)('gives no key to two commands: $platform, web $web', (around) => {
    const seen = new Map<string, string>();
    for (const { id } of COMMANDS) {
      for (const keys of keysOf(id, around)) {
        const shown = show(keys, around.platform);
        expect(seen.get(shown), `${shown} of ${id}`).toBeUndefined();
        seen.set(shown, id);
      }
    }
  });

  it.each(places)('uses no AltGr, and in a browser nothing that browsers keep: $platform, web $web', (around) => {
    const kept = ['Ctrl+N', 'Ctrl+T', 'Ctrl+W', 'Ctrl+Tab', 'Ctrl+Shift+Tab', 'Ctrl+Shift+T', 'Ctrl+Shift+W', 'Ctrl+Shift+N'];
    const keptOnMac = ['⌘N', '⌘T', '⌘W', '⇧⌘T', '⇧⌘N', '⇧⌘W', '⌃Tab'];
    for (const { id } of COMMANDS) {
      for (const keys of keysOf(id, around)) {
        const shown = show(keys, around.platform);
        expect(shown).not.toMatch(/Ctrl\+Alt/);
        if (around.web) expect(around.platform === 'macos' ? keptOnMac : kept).not.toContain(shown);
      }
    }
  });

  it('runs what is provided, and only while it can', () => {
    const commands = new Commands();
    commands.around = { platform: 'linux', web: false };
    const ran: string[] = [];
    let can = true;
    const back = commands.provide('go.file', () => ran.push('file'), () => can);
    const key = press('p', 'KeyP', { ctrlKey: true });
    expect(commands.press(key)).toBe(true);
    can = false;
    expect(commands.press(key)).toBe(false);
    can = true;
    back();
    expect(commands.press(key)).toBe(false);
    expect(ran).toEqual(['file']);
  });

  it('picks tabs by number', () => {
    const commands = new Commands();
    commands.around = { platform: 'windows', web: true };
    const picked: number[] = [];
    commands.pickTab = (n) => picked.push(n);
    expect(commands.press(press('3', 'Digit3', { altKey: true }))).toBe(true);
    expect(commands.press(press('3', 'Digit3', { ctrlKey: true }))).toBe(false);
    expect(picked).toEqual([3]);
  });
});
