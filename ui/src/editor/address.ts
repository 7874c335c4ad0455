/** Parts a wiki target or an inline address at its fragment. */
export function splitFragment(written: string): { target: string; fragment: string | null } {
  const hash = written.indexOf('#');
  return hash < 0
    ? { target: written, fragment: null }
    : { target: written.slice(0, hash), fragment: written.slice(hash + 1) };
}

/** Whether an address leads out of the knowledge bases (`https:`, `mailto:`…). */
export function isOutside(target: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(target) || target.startsWith('//');
}

/**
 * What a link out of the app says when it is pointed at: where it really leads, its host first, since its text and
 * even its address may be written to look like another. Nothing for what stays inside.
 */
export function outsideTitle(target: string): string | null {
  if (!isOutside(target)) return null;
  try {
    const { host, href } = new URL(target, 'https://here.invalid');
    return host === '' ? href : `${host}\n${href}`;
  } catch {
    return target;
  }
}

/** An inline link's address as the file system spells it. */
export function decodeAddress(address: string): string {
  const bare = address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
  try {
    return decodeURIComponent(bare);
  } catch {
    // A stray percent sign is part of the name then.
    return bare;
  }
}

/** An address that stands in the text by itself, with the scheme that it leaves out. */
export function wholeAddress(bare: string): string {
  if (isOutside(bare)) return bare;
  return bare.includes('@') ? `mailto:${bare}` : `https://${bare}`;
}

/** Whether a file is shown as a picture where it is embedded. */
export function isPicture(target: string): boolean {
  return /\.(png|jpe?g|webp|gif|svg)$/i.test(target);
}
