import type { Host } from '../host/types';

export type { Host };
import type { Code, Commands, ErrorKind, WireError } from './generated/commands';

export type Method = keyof Commands;
export type Request<M extends Method> = Commands[M]['request'];
export type Reply<M extends Method> = Commands[M]['reply'];

/** Codes of the backend, and what only this side can find: nobody answers, the link had let in another browser. */
export type AnyCode = Code | 'hostGone' | 'linkUsed';
export type AnyError = Omit<WireError, 'code'> & { code: AnyCode };

/** A call that the backend, or the way to it, refused. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  /** Stable; `describeError` in messages/ has a sentence for it. */
  readonly code: AnyCode;
  readonly detail: Record<string, string>;

  constructor(wire: AnyError) {
    super(wire.message);
    this.name = 'ApiError';
    this.kind = wire.kind;
    this.code = wire.code;
    this.detail = wire.detail;
  }
}

let host: Host | undefined;
let held: Promise<void> | undefined;

/** Called once by main.ts (and by tests with a host of their own). */
export function connect(way: Host): void {
  host = way;
}

export function theHost(): Host {
  if (host === undefined) throw new Error('connect() was not called');
  return host;
}

/** Holds calls back: an answer that came before the stream of events would never be told to be stale. */
export function holdCalls(until: Promise<void>): void {
  held = until.then(() => (held = undefined));
}

/** One call, typed by its method. Rejects with `ApiError` only; after `signal` has fired nobody should look at it. */
export async function call<M extends Method>(method: M, params: Request<M>, signal?: AbortSignal): Promise<Reply<M>> {
  try {
    if (held !== undefined) {
      await held;
      signal?.throwIfAborted();
    }
    return (await theHost().call(method, params, signal)) as Reply<M>;
  } catch (reason) {
    throw asApiError(reason);
  }
}

/** Whatever was thrown, in the one shape that the UI shows. */
export function asApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  if (isWireError(reason)) return new ApiError(reason);
  const message = reason instanceof Error ? reason.message : String(reason);
  return new ApiError({ kind: 'internal', code: 'internal', message, detail: {} });
}

export function isWireError(value: unknown): value is AnyError {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && 'code' in value && 'message' in value && 'detail' in value
  );
}
