export interface Heading {
  level: number;
  text: string;
  /** From 1. */
  line: number;
}

/** Headings of a Markdown text; what stands in front matter or in code is none. */
export function headings(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  let front = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (index === 0 && /^---\s*$/.test(line)) {
      front = true;
      continue;
    }
    if (front) {
      front = !/^(---|\.\.\.)\s*$/.test(line);
      continue;
    }
    const sign = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (sign?.startsWith(fence) && line.trim() === sign) fence = null;
      continue;
    }
    if (sign !== undefined) {
      fence = sign;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line);
    if (heading?.[1] && heading[2]) found.push({ level: heading[1].length, text: plain(heading[2]), line: index + 1 });
  }
  return found;
}

/** A heading's words without the signs of Markdown. */
function plain(text: string): string {
  return text
    .replace(/!?\[\[([^\]|]*\|)?([^\]]*)\]\]/g, '$2')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
    .replace(/(^|\W)[*_](.+?)[*_](?=\W|$)/g, '$1$2');
}
