import type { FilePlace, NameHit } from '../../api/generated/commands';
import type { CommandId } from '../../state/commands.svelte';
import { match } from '../../state/match';
import { folderOf, samePlace, stemOf } from '../../state/place';

/** How many are offered before anything is typed. */
const OPENED = 8;
const CHANGED = 12;

type Marks = [number, number][];

/** A file that is offered. */
type Found = Pick<NameHit, 'place' | 'kind' | 'kbName' | 'marks'>;

export type Choice =
  | { kind: 'file'; hit: Found; name: string; marks: Marks; folder: string; folderMarks: Marks }
  | { kind: 'command'; id: CommandId; name: string; marks: Marks; keys: string }
  | { kind: 'create'; name: string };

export interface Section {
  title: 'opened' | 'files' | 'recent' | 'commands';
  choices: Choice[];
}

/** What is typed: the sign in front narrows it to commands. */
export function readQuery(text: string): { commandsOnly: boolean; text: string } {
  return text.startsWith('>') ? { commandsOnly: true, text: text.slice(1).trim() } : { commandsOnly: false, text: text.trim() };
}

const SLASH = ' / ';

/** A file as a row: its name without what all notes end in, and the marks of the path that fall into it. */
export function fileChoice(hit: Found, showBase: boolean): Choice {
  const path = hit.place.path;
  const folder = folderOf(path);
  const offset = folder === '' ? 0 : folder.length + 1;
  const name = stemOf(path) || path.slice(offset);
  const marks = hit.marks
    .map(([start, end]): [number, number] => [Math.max(0, start - offset), Math.min(name.length, end - offset)])
    .filter(([start, end]) => end > start);
  const before = showBase ? hit.kbName : '';
  const where = [before, ...folder.split('/')].filter(Boolean).join(SLASH);
  const start = before === '' || folder === '' ? 0 : before.length + SLASH.length;
  // Each slash before a place is shown wider than it is.
  const shown = (at: number) => start + at + (folder.slice(0, at).split('/').length - 1) * (SLASH.length - 1);
  const folderMarks = hit.marks
    .filter(([from]) => from < folder.length)
    .map(([from, to]): [number, number] => [shown(from), shown(Math.min(to, folder.length))]);
  return { kind: 'file', hit, name, marks, folder: where, folderMarks };
}

/** What is offered before anything is typed: the notes that were open last, but the one in front, then what changed. */
export function offered(opened: readonly Found[], changed: readonly Found[], front: FilePlace | undefined, showBase: boolean): Section[] {
  const other = (place: FilePlace) => front === undefined || !samePlace(place, front);
  const first = opened.filter(({ place }) => other(place)).slice(0, OPENED);
  const rest = changed.filter(({ place }) => other(place) && !first.some((hit) => samePlace(hit.place, place))).slice(0, CHANGED);
  const sections: Section[] = [
    { title: 'opened', choices: first.map((hit) => fileChoice(hit, showBase)) },
    { title: 'recent', choices: rest.map((hit) => fileChoice(hit, showBase)) },
  ];
  return sections.filter(({ choices }) => choices.length > 0);
}

export interface CommandRow {
  id: CommandId;
  name: string;
  keys: string;
}

/** Commands that match, best first; in their own order when nothing is typed. */
export function commandChoices(rows: readonly CommandRow[], text: string, limit: number): Choice[] {
  return rows
    .map((row, order) => ({ row, order, found: match(row.name, text) }))
    .flatMap(({ row, order, found }) => (found === undefined ? [] : [{ row, order, found }]))
    .sort((a, b) => b.found.score - a.found.score || a.order - b.order)
    .slice(0, limit)
    .map(({ row, found }): Choice => ({ kind: 'command', ...row, marks: found.marks }));
}
