import type { IconName } from '../../kit/icons';
import type { PlainKey } from '../../messages/index.svelte';
import type { SettingsPage } from '../../state/tab.svelte';

interface Section {
  title: PlainKey;
  pages: { page: SettingsPage; title: PlainKey; icon: IconName }[];
}

export const SECTIONS: Section[] = [
  {
    title: 'app.name',
    pages: [
      { page: 'appearance', title: 'settings.appearance', icon: 'sun' },
      { page: 'knowledgeBases', title: 'settings.knowledgeBases', icon: 'book' },
      { page: 'keyboard', title: 'settings.keyboard', icon: 'window' },
      { page: 'about', title: 'settings.about', icon: 'info' },
    ],
  },
  {
    title: 'settings.assistant',
    pages: [
      { page: 'models', title: 'settings.models', icon: 'chip' },
      { page: 'web', title: 'settings.web', icon: 'globe' },
    ],
  },
];
