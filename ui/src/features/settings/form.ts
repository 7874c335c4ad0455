import type { PlainKey } from '../../messages/index.svelte';
import type { ModelDraft } from './drafts.svelte';

/** What of a draft has to be in a certain form. */
type Checked = Pick<ModelDraft, 'baseUrl' | 'model' | 'context'>;

/** What is wrong with a draft, by field, as the key of a sentence. */
export function checkForm(draft: Checked): Partial<Record<keyof Checked, PlainKey>> {
  const wrong: Partial<Record<keyof Checked, PlainKey>> = {};
  const address = checkAddress(draft.baseUrl.trim());
  if (address !== undefined) wrong.baseUrl = address;
  if (draft.model.trim() === '') wrong.model = 'settings.modelMissing';
  const tokens = Number(draft.context.replace(/[\s,_]/g, ''));
  if (!Number.isInteger(tokens) || tokens < 1000 || tokens > 4_294_967_295) wrong.context = 'settings.contextWrong';
  return wrong;
}

/** https everywhere, http only to this machine: keys never travel in the clear. */
function checkAddress(text: string): PlainKey | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'settings.addressWrong';
  }
  if (url.username !== '' || url.password !== '') return 'settings.addressWithKey';
  const host = url.hostname;
  const loopback = host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) return undefined;
  return url.protocol === 'http:' ? 'settings.addressPlain' : 'settings.addressWrong';
}
