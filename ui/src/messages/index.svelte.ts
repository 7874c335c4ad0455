import type { Warning } from '../api/generated/commands';
import { asApiError, type ApiError } from '../api/client';
import { en } from './en';
import type { later } from './en/later';

/** A sentence, or a function of the values that go into it. */
type Message = string | ((values: never) => string);

type English = typeof en & typeof later;

/** Every key with the kind of message it has; each language must have exactly these. */
export type Messages = {
  [K in keyof English]: English[K] extends (values: infer V) => string ? (values: V) => string : string;
};

export type MessageKey = keyof Messages;
/** Keys of sentences that need no values, for lists of things with a name. */
export type PlainKey = { [K in MessageKey]: Messages[K] extends string ? K : never }[MessageKey];

export type Locale = 'en' | 'zh-CN';

/** Without those that come later until they are there: only the features that bring them say them. */
let english = en as unknown as Messages;
let messages = $state.raw<Messages>(english);
let locale = $state.raw<Locale>('en');

type Values<K extends MessageKey> = Messages[K] extends (values: infer V) => string ? [values: V] : [];

/** The sentence of `key` in the language of the interface. */
export function t<K extends MessageKey>(key: K, ...values: Values<K>): string {
  const message: Message = messages[key];
  return typeof message === 'string' ? message : (message as (values: unknown) => string)(values[0]);
}

export function currentLocale(): Locale {
  return locale;
}

/** Switches the language; Chinese is fetched when it is first wanted. */
export async function useLocale(wanted: Locale): Promise<void> {
  if (wanted === 'zh-CN') {
    const { zhCN } = await import('./zh-CN');
    messages = zhCN;
  } else {
    messages = english;
  }
  locale = wanted;
}

let fetched: Promise<void> | undefined;

/** Fetches what features say that are opened seldom, so that the first load does not carry it. */
export function laterMessages(): Promise<void> {
  fetched ??= import('./en/later').then(({ later }) => {
    english = { ...en, ...later };
    if (locale === 'en') messages = english;
  });
  return fetched;
}

/** What the system asks for, where the user left the choice to it. */
export function systemLocale(languages: readonly string[]): Locale {
  for (const language of languages) {
    const tag = language.toLowerCase();
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

/** What happened, for people: the sentence of its code, else of its kind. */
export function describeError(error: ApiError): string {
  const table = messages as unknown as Record<string, Message | undefined>;
  const message = table[`error.${error.code}`] ?? table[`errorKind.${error.kind}`];
  if (message === undefined) return error.message;
  return typeof message === 'string' ? message : (message as (values: unknown) => string)({ ...error.detail });
}

/** An error whose message can be shown, for the kit, which has no messages of its own. */
export function explained(reason: unknown): Error {
  return new Error(describeError(asApiError(reason)), { cause: reason });
}

/** What to know about a value that is there. */
export function describeWarning(warning: Warning): string {
  const table = messages as unknown as Record<string, Message | undefined>;
  // What an operation failed for is what an error would be.
  const message = table[`warning.${warning.code}`] ?? table[`error.${warning.code}`];
  const detail = warning.detail ?? '';
  if (message === undefined) return detail === '' ? warning.code : `${warning.code}: ${detail}`;
  if (typeof message === 'string') return message;
  // The system's own words are in its own language: what failed comes as a code.
  const failed = table[`error.${detail}`];
  const reason = typeof failed === 'function' ? (failed as (values: unknown) => string)({}) : failed;
  return (message as (values: unknown) => string)({ detail, ...(reason === undefined ? {} : { reason }) });
}

/** Why an operation is in conflict or failed, or what it stands for. */
export function describeNote(note: Warning): string {
  const message = (messages as unknown as Record<string, Message | undefined>)[`review.note.${note.code}`];
  if (message === undefined) return describeWarning(note);
  return typeof message === 'string' ? message : (message as (values: unknown) => string)({ name: note.detail ?? '' });
}

/** Numbers as the language writes them: 20,148. */
export function number(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A day, short and unambiguous: today, 9 Nov, 9 Nov 2024. */
export function day(at: number, now: number = Date.now()): string {
  const date = new Date(at);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return t('time.today');
  const yesterday = new Date(now - 86_400_000);
  if (date.toDateString() === yesterday.toDateString()) return t('time.yesterday');
  const sameYear = date.getFullYear() === today.getFullYear();
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(date);
}

/** A time of day: 14:02. */
export function time(at: number): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at));
}

/** Bytes for people: 820 B, 12 KB, 3.4 MB. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let size = value;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 10 ? 0 : 1;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(size)} ${units[unit]}`;
}
