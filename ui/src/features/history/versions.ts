import type { Hunk, PositionEdit, Provenance, Version } from '../../api/generated/commands';
import type { IconName } from '../../kit/icons';
import { day, t, time } from '../../messages/index.svelte';

export type Source = Provenance['source'];
export const SOURCES: readonly Source[] = ['assistant', 'manual', 'outside', 'restore', 'restoreTurn', 'undo'];

/** Rows of the list of versions. */
export type Listed = { key: string; kind: 'day'; title: string } | { key: string; kind: 'version'; version: Version; newer: number | undefined };

/** Versions under their days, the newest first; each with the next newer one, whose change replaced it. */
export function listed(versions: readonly Version[], source: Source | undefined, now: number = Date.now()): Listed[] {
  const rows: Listed[] = [];
  let title = '';
  for (const [index, version] of versions.entries()) {
    if (source !== undefined && version.provenance.source !== source) continue;
    const next = day(version.createdAt, now);
    if (next !== title) rows.push({ key: `day-${next}`, kind: 'day', title: next });
    title = next;
    rows.push({ key: `version-${version.id}`, kind: 'version', version, newer: versions[index - 1]?.id });
  }
  return rows;
}

const ICONS: Record<Source, IconName> = {
  manual: 'pen',
  assistant: 'chat',
  undo: 'undo',
  restore: 'undo',
  restoreTurn: 'undo',
  outside: 'window',
};

export function iconOf({ provenance }: Version): IconName {
  return ICONS[provenance.source];
}

/** The change that replaced a content, in words. */
export function sourceWords({ provenance }: Version): string {
  if (provenance.source !== 'assistant') return t(`history.from.${provenance.source}`);
  return provenance.goal === '' ? t('history.from.assistant') : t('history.from.goal', { goal: provenance.goal });
}

/** A version where there is one line for it. */
export function momentWords(version: Version | undefined): string {
  return version === undefined ? t('history.now') : `${day(version.createdAt)}, ${time(version.createdAt)}`;
}

/** Brings one part back: `text` is the newer content, as the file has it. */
export function partEdit({ rows }: Hunk, text: string): PositionEdit {
  const first = rows.findIndex(({ sign }) => sign !== 'same');
  const last = rows.findLastIndex(({ sign }) => sign !== 'same');
  const changed = rows.slice(first, last + 1);
  const fresh = changed.filter(({ newLine }) => newLine !== null);
  const before = rows.slice(0, first).findLast(({ newLine }) => newLine !== null)?.newLine ?? 0;
  const start = fresh[0]?.newLine ?? before + 1;
  const end = fresh.at(-1)?.newLine ?? start - 1;
  const lines = changed.filter(({ sign }) => sign !== 'added').map((row) => row.text);
  const all = text.split(/\r\n?|\n/);
  const insert = lines.map((line) => `${line}\n`).join('');
  // Below the last line there is nothing to put a line before: the break goes in front.
  if (start > all.length) {
    const column = all.at(-1)?.length ?? 0;
    return { from: { line: all.length, column }, to: { line: all.length, column }, insert: lines.map((line) => `\n${line}`).join('') };
  }
  if (end >= all.length) {
    const column = all.at(-1)?.length ?? 0;
    return { from: { line: start, column: 0 }, to: { line: all.length, column }, insert: insert.replace(/\n$/, '') };
  }
  return { from: { line: start, column: 0 }, to: { line: end + 1, column: 0 }, insert };
}
