/** How keys are named, matched and shown. `Mod` is ⌘ on macOS and Ctrl elsewhere. */

export type Platform = 'macos' | 'windows' | 'linux';

export interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing?: boolean;
  keyCode?: number;
}

interface Combination {
  key: string;
  ctrl: boolean;
  meta: boolean;
  alt: boolean;
  shift: boolean;
}

/** Reads `Mod+Shift+P`. The last part is the key; a plus as key is written `Plus`. */
export function parse(keys: string, platform: Platform): Combination {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mac = platform === 'macos';
  const mod = parts.includes('Mod');
  return {
    key: key === 'Plus' ? '+' : key,
    ctrl: parts.includes('Ctrl') || (mod && !mac),
    meta: parts.includes('Meta') || (mod && mac),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
  };
}

/** Never inside a composition: Enter there ends the word, and letters belong to the input method. */
export function composing(event: Pressed): boolean {
  return event.isComposing === true || event.keyCode === 229 || event.key === 'Process';
}

/** Letters match by `key`, and by `code` where the layout's key is not a Latin letter. */
export function matches(event: Pressed, keys: string, platform: Platform): boolean {
  if (composing(event)) return false;
  const wanted = parse(keys, platform);
  if (
    event.ctrlKey !== wanted.ctrl ||
    event.metaKey !== wanted.meta ||
    event.altKey !== wanted.alt ||
    event.shiftKey !== wanted.shift
  ) {
    return false;
  }
  if (event.key.toLowerCase() === wanted.key.toLowerCase()) return true;
  if (/^[A-Za-z]$/.test(wanted.key)) {
    return !/^[A-Za-z]$/.test(event.key) && event.code === `Key${wanted.key.toUpperCase()}`;
  }
  if (/^[0-9]$/.test(wanted.key)) return event.code === `Digit${wanted.key}`;
  return CODES[wanted.key] === event.code;
}

/** Keys whose character changes with Shift or Alt are known by their place. */
const CODES: Record<string, string> = {
  '\\': 'Backslash',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  ';': 'Semicolon',
  ',': 'Comma',
  '.': 'Period',
};

const MAC_SIGNS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Tab: '⇥',
  Escape: 'Esc',
  PageDown: '⇟',
  PageUp: '⇞',
};

const SIGNS: Record<string, string> = { ...MAC_SIGNS, Enter: 'Enter', Tab: 'Tab', PageDown: 'PgDn', PageUp: 'PgUp' };

/** As the platform writes it: ⇧⌘P, Ctrl+Shift+P. */
export function show(keys: string, platform: Platform): string {
  const { key, ctrl, meta, alt, shift } = parse(keys, platform);
  if (platform === 'macos') {
    const name = MAC_SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
    return `${ctrl ? '⌃' : ''}${alt ? '⌥' : ''}${shift ? '⇧' : ''}${meta ? '⌘' : ''}${name}`;
  }
  const name = SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return [ctrl ? 'Ctrl' : '', meta ? 'Win' : '', alt ? 'Alt' : '', shift ? 'Shift' : '', name].filter(Boolean).join('+');
}
