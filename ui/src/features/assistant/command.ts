import type { CommandEnd, OutputPiece } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';

/** What came of a call that ran a command. */
export interface Ran {
  /** Absent while it runs in the background. */
  end: CommandEnd | undefined;
  job: number | undefined;
  pieces: readonly OutputPiece[];
  /** Of the command itself, without the wait for an answer before it. */
  tookMs: number | undefined;
  /** The middle of the output is left out. */
  truncated: boolean;
  /** What its confinement refused it. */
  blocked: readonly string[];
  /** Paths of notes that are not as they were before it ran. */
  files: { new: readonly string[]; changed: readonly string[]; gone: readonly string[] };
}

/** Reads the result of `exec`; nothing where no command ran. */
export function ranCommand(result: string): Ran | undefined {
  let json: unknown;
  try {
    json = JSON.parse(result);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  const of = json as Record<string, unknown>;
  const end = endOf(of);
  const job = typeof of['job'] === 'number' ? of['job'] : undefined;
  if (!end && job === undefined) return undefined;
  const pieces: OutputPiece[] = [];
  if (typeof of['stdout'] === 'string') pieces.push({ source: 'stdout', text: of['stdout'] });
  if (typeof of['stderr'] === 'string') pieces.push({ source: 'stderr', text: of['stderr'] });
  const files = (typeof of['files'] === 'object' && of['files'] !== null ? of['files'] : {}) as Record<string, unknown>;
  return {
    end,
    job,
    pieces,
    tookMs: typeof of['tookMs'] === 'number' ? of['tookMs'] : undefined,
    truncated: 'truncated' in of,
    blocked: texts(of['blocked']),
    files: { new: paths(files['new']), changed: paths(files['changed']), gone: paths(files['gone']) },
  };
}

function endOf(of: Record<string, unknown>): CommandEnd | undefined {
  switch (of['outcome']) {
    case 'exited':
      return { outcome: 'exited', code: Number(of['exitCode']) };
    case 'signalled':
      return { outcome: 'signalled', signal: Number(of['signal']) };
    case 'couldNotStart':
      return { outcome: 'couldNotStart', reason: String(of['reason']) };
    case 'timedOut':
    case 'cancelled':
    case 'lost':
      return { outcome: of['outcome'] };
    default:
      return undefined;
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function paths(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one];
    const path: unknown = typeof one === 'object' && one !== null ? (one as Record<string, unknown>)['path'] : undefined;
    return typeof path === 'string' ? [path] : [];
  });
}

/** How it ended, in words. */
export function endWords(end: CommandEnd): string {
  switch (end.outcome) {
    case 'exited':
      return end.code === 0 ? t('exec.end.well') : t('exec.end.code', { code: end.code });
    case 'signalled':
      return t('exec.end.signalled', { signal: end.signal });
    case 'couldNotStart':
      return t('exec.end.couldNotStart', { reason: end.reason });
    default:
      return t(`exec.end.${end.outcome}`);
  }
}

export function isWell(end: CommandEnd): boolean {
  return end.outcome === 'exited' && end.code === 0;
}

/** The folder that a call asked for; nothing where it named none. */
export function folderOf(args: string): string | undefined {
  try {
    const cwd: unknown = (JSON.parse(args) as Record<string, unknown>)['cwd'];
    return typeof cwd === 'string' ? cwd : undefined;
  } catch {
    return undefined;
  }
}
