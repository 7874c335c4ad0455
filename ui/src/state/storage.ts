/**
 * Begins the name of everything that is remembered of one data directory. Another one may be served at the same address,
 * and its numbers mean other files.
 */
export function shelfName(): string {
  const data = typeof document === 'undefined' ? null : document.querySelector('meta[name="data"]');
  return `orangery.${data?.getAttribute('content') ?? ''}.`;
}

/**
 * What a window remembers of itself: in the session storage of its own, and in the local storage as the start for the
 * next window. Storage may be full or forbidden: then nothing is remembered, and nothing else happens.
 */
const PREFIX = shelfName();

export function remember(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  for (const storage of stores()) {
    try {
      storage.setItem(PREFIX + key, text);
    } catch {
      // Full or forbidden.
    }
  }
}

export function recall(key: string): unknown {
  for (const storage of stores()) {
    try {
      const text = storage.getItem(PREFIX + key);
      if (text !== null) return JSON.parse(text) as unknown;
    } catch {
      // Damaged or forbidden: as if it were not there.
    }
  }
  return undefined;
}

function stores(): Storage[] {
  try {
    return typeof window === 'undefined' ? [] : [window.sessionStorage, window.localStorage];
  } catch {
    return [];
  }
}

/** Reads a field of unknown data without trusting its shape. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
