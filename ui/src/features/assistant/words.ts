import type { Approval, CardFact, Level, ToolStep } from '../../api/generated/commands';
import type { IconName } from '../../kit/icons';
import { bytes, t, type PlainKey } from '../../messages/index.svelte';

export const LEVELS = ['L1', 'L2', 'L3', 'L4'] as const satisfies readonly Level[];

const ICONS: Record<string, IconName> = {
  search: 'search',
  read: 'note',
  list: 'list',
  edit: 'pen',
  write: 'plus',
  exec: 'terminal',
  browser: 'globe',
};

export function stepIcon({ tool, state }: ToolStep): IconName {
  if (state === 'denied') return 'shield';
  if (state === 'failed') return 'alert';
  if (state === 'asked') return 'question';
  return ICONS[tool] ?? 'chip';
}

const NAMED = ['search', 'searchText', 'searchWeb', 'read', 'readUrl', 'list', 'edit', 'write', 'exec'] as const;

/** Tools that look in several places are called by where they looked. */
function kindOf({ tool, arguments: said }: ToolStep): string {
  if (tool !== 'search' && tool !== 'read') return tool;
  const given: unknown = parsed(said);
  const has = (field: string) => (typeof given === 'object' && given !== null && field in given ? (given as Record<string, unknown>)[field] : undefined);
  if (tool === 'read') return typeof has('url') === 'string' ? 'readUrl' : tool;
  return has('target') === 'web' ? 'searchWeb' : has('target') === 'text' ? 'searchText' : tool;
}

/** A step in one line: what was done, or what is being tried. */
export function stepWords(step: ToolStep): string {
  const { tool, subject, state } = step;
  const kind = kindOf(step);
  const named = NAMED.find((name) => name === kind);
  if (!named) return t('assistant.step.other', { tool, subject });
  return state === 'done' ? t(`assistant.step.${named}`, { subject }) : t(`assistant.trying.${named}`, { subject });
}

const COUNTED = ['search', 'searchText', 'searchWeb', 'read', 'readUrl', 'list'] as const;

/** What stands at a step's right end: its count, or how it ended. */
export function stepEnd(step: ToolStep): string {
  const { state, count } = step;
  if (state !== 'done') return t(`assistant.state.${state}`);
  if (count === null) return '';
  const kind = kindOf(step);
  const counted = COUNTED.find((name) => name === kind);
  return t(`assistant.count.${counted ?? 'other'}`, { count });
}

const ANSWERS: Record<Exclude<Approval['state'], 'waiting'>, PlainKey> = {
  allowed: 'assistant.approved',
  denied: 'assistant.refusedByYou',
  closedByLevel: 'assistant.closedByLevel',
  expired: 'assistant.expired',
};

export function approvalEnd({ state }: Approval): string {
  return state === 'waiting' ? t('assistant.state.asked') : t(ANSWERS[state]);
}

const QUESTIONS = [
  'outsideRead',
  'sensitiveFile',
  'command',
  'commandUnread',
  'openPath',
  'openUrl',
  'web',
  'browser',
  'mcp',
  'desktop',
  'worktree',
  'hook',
  'askedByRule',
] as const;

export function question(code: string): string {
  const known = QUESTIONS.find((name) => name === code);
  return t(`assistant.ask.${known ?? 'other'}`);
}

const FACTS = [
  'path',
  'size',
  'command',
  'cwd',
  'url',
  'query',
  'header',
  'operation',
  'server',
  'role',
  'skill',
  'rule',
  'confinement',
  'timeout',
  'background',
  'unread',
  'job',
] as const;

export function factLabel({ label }: CardFact): string {
  const known = FACTS.find((name) => name === label);
  return known ? t(`assistant.fact.${known}`) : label;
}

const UNREAD = ['shell', 'syntax', 'runTime', 'wrapper'] as const;

export function factValue({ label, value }: CardFact): string {
  if (label === 'size' && /^\d+$/.test(value)) return bytes(Number(value));
  if (label === 'timeout' && /^\d+$/.test(value)) return t('exec.seconds', { count: Number(value) });
  if (label === 'confinement') return t(value === 'on' ? 'exec.confined' : 'exec.unconfined');
  if (label === 'background') return t('exec.inBackground');
  const reason = label === 'unread' ? UNREAD.find((name) => name === value) : undefined;
  return reason ? t(`exec.unread.${reason}`) : value;
}

/** What a model wrote as JSON; nothing for what is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON as people can read it; what is no JSON stays as it is. */
export function readable(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
