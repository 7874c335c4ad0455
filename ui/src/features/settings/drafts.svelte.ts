import type { KeepSecret, ModelId, ModelProfile, Protocol } from '../../api/generated/commands';

/** What is typed into the form of a model. */
export interface ModelDraft {
  name: string;
  protocol: Protocol;
  baseUrl: string;
  model: string;
  context: string;
  tools: boolean;
  vision: boolean;
  key: string;
  passphrase: string;
  keep: KeepSecret | undefined;
}

/**
 * Forms that are open, by their model; `new` is the one of a model that is added. They outlive the page that shows
 * them, since who looks something up elsewhere comes back to what was typed; the window they do not outlive, and
 * nothing of them is written down: there may be a key in them.
 */
const open = new Map<ModelId | 'new', ModelDraft>();

export function isOpen(id: ModelId | undefined): boolean {
  return open.has(id ?? 'new');
}

/** The draft of a form, begun from what is saved. */
export function draftOf(saved: ModelProfile | undefined): ModelDraft {
  const key = saved?.id ?? 'new';
  let draft = open.get(key);
  if (draft === undefined) {
    const begun = $state<ModelDraft>({
      name: saved?.name ?? '',
      protocol: saved?.protocol ?? 'openAi',
      baseUrl: saved?.baseUrl ?? '',
      model: saved?.model ?? '',
      context: String(saved?.contextTokens ?? 128_000),
      tools: saved?.tools ?? true,
      vision: saved?.vision ?? false,
      key: '',
      passphrase: '',
      keep: undefined,
    });
    draft = begun;
    open.set(key, draft);
  }
  return draft;
}

/** It was saved or given up. */
export function close(id: ModelId | undefined): void {
  open.delete(id ?? 'new');
}
