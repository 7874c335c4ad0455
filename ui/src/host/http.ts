import { type AnyCode, type AnyError, isWireError } from '../api/client';
import type { ErrorKind, Numbered } from '../api/generated/commands';
import type { Host } from './types';

/**
 * The loopback host. The one-time link carries its token in the fragment; `enter` trades it for an HttpOnly cookie
 * and takes it out of the address bar, so that it is neither kept in the history nor sent anywhere.
 */
export class HttpHost implements Host {
  /** The link that this page was opened with lets nobody in any more. */
  #linkUsed = false;

  async enter(): Promise<void> {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token === null) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    // Refused when the link was used before: if the cookie of then still holds, all is well, else calls will say so.
    const answer = await fetch('/session', post({ token })).catch(() => undefined);
    this.#linkUsed = answer !== undefined && !answer.ok;
  }

  async call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`/rpc/${method}`, signal === undefined ? post(params) : { ...post(params), signal });
    } catch (reason) {
      if (signal?.aborted === true) throw reason;
      throw wire('unavailable', 'hostGone', 'the app behind this page does not answer');
    }
    const body: unknown = await response.json().catch(() => undefined);
    signal?.throwIfAborted();
    if (response.ok) return body;
    if (isWireError(body)) throw this.#linkUsed && body.code === 'notSignedIn' ? { ...body, code: 'linkUsed' } : body;
    throw wire('internal', 'internal', `the host answered ${response.status}`);
  }

  listen(since: number, each: (event: Numbered) => void, lost: () => void, opened: () => void): () => void {
    const source = new EventSource(since === 0 ? '/events' : `/events?since=${since}`);
    source.onopen = opened;
    source.onmessage = (message) => each(JSON.parse(message.data as string) as Numbered);
    source.onerror = () => {
      // EventSource would reconnect by itself, but from its own `since`.
      source.close();
      lost();
    };
    return () => source.close();
  }

  blobUrl(path: string): string {
    return `/blob/${path.split('/').map(encodeURIComponent).join('/')}`;
  }

  onFocus(each: () => void): () => void {
    window.addEventListener('focus', each);
    return () => window.removeEventListener('focus', each);
  }

  async openOutside(url: string): Promise<void> {
    window.open(url, '_blank', 'noopener,noreferrer');
  }

  onClose(unsaved: () => boolean, finish: () => Promise<boolean>): () => void {
    // A browser gives a leaving page no time: saving is started, and the browser asks the user meanwhile.
    const ask = (event: BeforeUnloadEvent) => {
      if (!unsaved()) return;
      void finish();
      event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }
}

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function wire(kind: ErrorKind, code: AnyCode, message: string): AnyError {
  return { kind, code, message, detail: {} };
}
