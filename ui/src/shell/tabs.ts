import type { IconName } from '../kit/icons';
import { t } from '../messages/index.svelte';
import { noteTitle, type Tab } from '../state/workspace.svelte';

/** What stands on a tab. */
export function titleOf(tab: Tab): string {
  if (tab.title !== undefined) return tab.title;
  switch (tab.content.kind) {
    case 'note':
      return noteTitle(tab.content.place);
    case 'review':
      return t('tab.review');
    case 'search':
      return t('tab.search');
    case 'settings':
      return t('tab.settings');
  }
}

export function iconOf(tab: Tab): IconName {
  switch (tab.content.kind) {
    case 'note':
      return 'note';
    case 'review':
      return 'diff';
    case 'search':
      return 'search';
    case 'settings':
      return 'settings';
  }
}
