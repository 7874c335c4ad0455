import type { IconName } from '../kit/icons';
import { t } from '../messages/index.svelte';
import { iconOf as iconOfKind, kindOfName } from '../state/kinds';
import { noteTitle, type Tab } from '../state/tab.svelte';

/** What stands on a tab, in the language of the moment: a view that is not shown cannot say it anew. */
export function titleOf({ title, content }: Tab): string {
  switch (content.kind) {
    case 'note':
    case 'document':
      return title ?? noteTitle(content.place);
    case 'review':
      return title === undefined ? t('tab.review') : t('tab.reviewOf', { name: title });
    case 'history':
      return t('tab.historyOf', { name: noteTitle(content.place) });
    case 'search':
      return title === undefined ? t('tab.search') : t('tab.searchFor', { text: title });
    case 'settings':
      return t('tab.settings');
  }
}

export function iconOf(tab: Tab): IconName {
  switch (tab.content.kind) {
    case 'note':
      return 'note';
    case 'document':
      return iconOfKind(kindOfName(tab.content.place.path));
    case 'review':
      return 'diff';
    case 'history':
      return 'clock';
    case 'search':
      return 'search';
    case 'settings':
      return 'settings';
  }
}
