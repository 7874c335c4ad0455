import type { ConflictView, LineRange, MergeChoice, MergeRegion } from '../../api/generated/commands';

export type Side = 'base' | 'disk' | 'proposal';

export interface SideLine {
  number: number;
  text: string;
  /** Differs from what the assistant read. */
  changed: boolean;
  /** UTF-16 ranges that differ from the line it takes the place of. */
  marks: [number, number][];
}

export interface ResultLine {
  key: string;
  number: number;
  text: string;
  /** The region it comes from, and what became of it. */
  region: number;
  kind: 'same' | 'merged' | 'chosen';
}

/** A place of the result where something is still to be said, or is being written by hand. */
export interface ResultPlace {
  key: string;
  region: number;
  kind: 'open' | 'text';
  text: string;
}

/** Lines kept around a place. */
const CONTEXT = 3;
/** Lines of one side of a place that are shown side by side; the result shows all. */
const SHOWN = 200;

export class Texts {
  readonly base: readonly string[];
  readonly disk: readonly string[];
  readonly proposal: readonly string[];

  constructor(view: ConflictView) {
    const split = (text: string | null) => (text === null ? [] : text.split(/\r\n?|\n/));
    this.base = split(view.base);
    this.disk = split(view.disk);
    this.proposal = split(view.proposal);
  }

  of(side: Side, { start, end }: LineRange): string[] {
    return this[side].slice(Math.max(0, start - 1), Math.max(0, end));
  }
}

/** Indexes of the regions where both sides changed. */
export function meeting(regions: readonly MergeRegion[]): number[] {
  return regions.flatMap(({ kind }, index) => (kind === 'meets' ? [index] : []));
}

/** Indexes of the regions that merge by themselves. */
export function clean(regions: readonly MergeRegion[]): number[] {
  return regions.flatMap(({ kind }, index) => (kind === 'disk' || kind === 'proposal' || kind === 'both' ? [index] : []));
}

/** One side of a place with the lines around it. */
export function around(texts: Texts, region: MergeRegion, side: Side): { lines: SideLine[]; more: number } {
  const range = region[side];
  const all = texts[side];
  const from = Math.max(1, range.start - CONTEXT);
  const until = Math.min(all.length, Math.max(range.end, range.start - 1) + CONTEXT);
  const base = texts.of('base', region.base);
  const lines: SideLine[] = [];
  for (let number = from; number <= until && lines.length < SHOWN; number += 1) {
    const text = all[number - 1] ?? '';
    const inside = number >= range.start && number <= range.end;
    const changed = inside && side !== 'base' && !base.includes(text);
    const before = base[number - range.start];
    lines.push({ number, text, changed, marks: changed && before !== undefined ? differing(before, text) : [] });
  }
  // A text that ends with a line break has no line after it.
  if (until === all.length && lines.at(-1)?.text === '' && lines.at(-1)?.changed === false) lines.pop();
  return { lines, more: until - from + 1 - SHOWN };
}

function differing(before: string, text: string): [number, number][] {
  let start = 0;
  const shorter = Math.min(before.length, text.length);
  while (start < shorter && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  const until = text.length - end;
  return until > start && start + end > 0 ? [[start, until]] : [];
}

/** What a choice puts in the place of a region. */
export function chosenLines(texts: Texts, region: MergeRegion, choice: MergeChoice): string[] {
  switch (choice.take) {
    case 'disk':
      return texts.of('disk', region.disk);
    case 'proposal':
      return texts.of('proposal', region.proposal);
    case 'both':
      return [...texts.of('disk', region.disk), ...texts.of('proposal', region.proposal)];
    case 'text':
      return choice.text === '' ? [] : choice.text.replace(/\n$/, '').split('\n');
  }
}

/** The merged text, line by line, with the places that are open. `choices` by region. */
export function result(
  texts: Texts,
  regions: readonly MergeRegion[],
  choices: ReadonlyMap<number, MergeChoice>,
): (ResultLine | ResultPlace)[] {
  const list: (ResultLine | ResultPlace)[] = [];
  let number = 1;
  const put = (lines: readonly string[], region: number, kind: ResultLine['kind']) => {
    for (const [at, text] of lines.entries()) list.push({ key: `${region}-${at}`, number: number++, text, region, kind });
  };
  for (const [index, region] of regions.entries()) {
    if (region.kind === 'same') put(texts.of('disk', region.disk), index, 'same');
    else if (region.kind === 'proposal') put(texts.of('proposal', region.proposal), index, 'merged');
    else if (region.kind === 'disk' || region.kind === 'both') put(texts.of('disk', region.disk), index, 'merged');
    else {
      const choice = choices.get(index);
      if (choice === undefined) list.push({ key: `${index}-open`, region: index, kind: 'open', text: '' });
      else if (choice.take === 'text') {
        list.push({ key: `${index}-text`, region: index, kind: 'text', text: choice.text.replace(/\n$/, '') });
        number += chosenLines(texts, region, choice).length;
      } else put(chosenLines(texts, region, choice), index, 'chosen');
    }
  }
  return list;
}

/** Lines written by hand, as a choice. */
export function byHand(text: string): MergeChoice {
  return { take: 'text', text: text === '' || text.endsWith('\n') ? text : `${text}\n` };
}
