import type { ChangeSet } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';
import { useQuery } from '../../state/query.svelte';

/** Why comments on a set cannot be sent: no conversation made it, or nobody in that one would answer. */
export function useUnsendable(set: () => ChangeSet) {
  const source = $derived(set().summary.provenance);
  const sessions = useQuery('session.list', () => (source.source === 'assistant' ? {} : null));
  const models = useQuery('model.list', () => (source.source === 'assistant' ? {} : null));
  return {
    get reason(): string | undefined {
      if (source.source !== 'assistant') return t('review.comment.noSession');
      const session = sessions.data?.find(({ id }) => id === source.sessionId);
      if (session === undefined || models.data === undefined) return undefined;
      return models.data.some(({ id }) => id === session.modelId) ? undefined : t('review.comment.noModel');
    },
  };
}
