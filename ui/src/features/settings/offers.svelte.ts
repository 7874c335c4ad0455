import { asApiError, call } from '../../api/client';
import type { ModelId, ModelOffer } from '../../api/generated/commands';
import { describeError, describeWarning } from '../../messages/index.svelte';
import { checkForm } from './form';
import type { ModelDraft } from './drafts.svelte';

/** The models that the endpoint of a draft has, asked for when they are wanted. */
export class Offers {
  list = $state.raw<readonly ModelOffer[]>([]);
  trouble = $state<string>();
  /** It is the key that the service does not want. */
  refused = $state(false);
  asking = $state(false);
  /** What was asked last; nothing is asked twice. */
  #asked = '';

  readonly #draft: ModelDraft;
  readonly #saved: ModelId | undefined;

  constructor(draft: ModelDraft, saved: ModelId | undefined) {
    this.#draft = draft;
    this.#saved = saved;
  }

  /** Asks, unless the address cannot be asked or has been. */
  async ask(): Promise<void> {
    const { protocol, baseUrl, key } = this.#draft;
    const asked = JSON.stringify([protocol, baseUrl.trim(), key]);
    if (asked === this.#asked || checkForm(this.#draft).baseUrl !== undefined) return;
    this.#asked = asked;
    this.asking = true;
    let list: readonly ModelOffer[] = [];
    let trouble: string | undefined;
    let refused = false;
    try {
      const found = await call('model.offers', { protocol, baseUrl: baseUrl.trim(), key: key === '' ? null : key, modelId: this.#saved ?? null });
      list = [...found.offers].sort((one, other) => one.model.localeCompare(other.model));
      refused = found.trouble?.code === 'modelRefusedKey';
      trouble = found.trouble === null ? undefined : describeWarning(found.trouble);
    } catch (reason) {
      trouble = describeError(asApiError(reason));
    }
    // An answer to an earlier question is of no use.
    if (asked !== this.#asked) return;
    this.asking = false;
    this.list = list;
    this.trouble = trouble;
    this.refused = refused;
  }

  /** Takes over what the service says of the model that is named. */
  adopt(): void {
    const offer = this.list.find((it) => it.model === this.#draft.model.trim());
    if (offer === undefined) return;
    if (offer.contextTokens !== null) this.#draft.context = String(offer.contextTokens);
    if (offer.tools !== null) this.#draft.tools = offer.tools;
    if (offer.vision !== null) this.#draft.vision = offer.vision;
  }
}
