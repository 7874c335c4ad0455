import type { IconName } from '../kit/icons';
import { t } from '../messages/index.svelte';
import { iconOf as iconOfKind, kindOfName } from '../state/kinds';
import { calledOf, titleWithin } from '../state/called';
import { type Tab, shownFile } from '../state/tab.svelte';

/** What stands on a tab, in the language of the moment: a view that is not shown cannot say it anew. */
export function titleOf({ title, content }: Tab): string {
  switch (content.kind) {
    case 'note':
    case 'document':
      return calledOf(content.place, title);
    case 'review':
      return title === undefined ? t('tab.review') : t('tab.reviewOf', { name: title });
    case 'history':
      return t('tab.historyOf', { name: calledOf(content.place) });
    case 'search':
      return title === undefined ? t('tab.search') : t('tab.searchFor', { text: title });
    case 'settings':
      return t('tab.settings');
  }
}

/** What the pointer is told: where the file is, and what a document calls itself. */
export function tipOf(tab: Tab): string {
  const place = shownFile(tab.content);
  if (place === undefined) return titleOf(tab);
  const within = titleWithin(place, tab.title);
  return within === undefined ? place.path : `${place.path}\n${within}`;
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
