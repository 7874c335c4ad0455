import { asApiError, call } from '../../api/client';
import type { BlockLink, FilePlace } from '../../api/generated/commands';
import { describeError, t } from '../../messages/index.svelte';
import { app } from '../../state/app.svelte';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';

/** Follows a link of a document: out of the app, to another file, or nowhere. */
export async function follow(from: FilePlace, { target, fragment }: BlockLink, beside: boolean): Promise<void> {
  // Only what a browser or a mail program takes leaves the app.
  if (/^(https?|mailto):/i.test(target)) {
    app.openOutside(target);
    return;
  }
  const nowhere = () => toasts.show(t('document.linkNowhere', { name: target === '' ? `#${fragment ?? ''}` : target }));
  if (target === '' || target.startsWith('#') || /^[a-z][a-z0-9+.-]+:/i.test(target)) {
    nowhere();
    return;
  }
  try {
    const [led] = await call('link.resolve', { from, links: [{ kind: 'inline', target, fragment }] });
    const place = led?.place ?? undefined;
    const line = led?.line ?? undefined;
    if (place === undefined || !workspace.openFile(place, line === undefined ? { beside } : { beside, line })) nowhere();
  } catch (reason) {
    toasts.show(describeError(asApiError(reason)), { tone: 'danger' });
  }
}
