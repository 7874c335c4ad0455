import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Lets the editor make its style element: the content policy allows only those with the nonce that the host wrote
 * into the page. A browser hides the attribute, so the property is read.
 */
export function styleNonce(): Extension {
  const meta =
    typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta === null || meta.nonce === undefined || meta.nonce === '' ? [] : EditorView.cspNonce.of(meta.nonce);
}
