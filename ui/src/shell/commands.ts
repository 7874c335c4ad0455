import { tick } from 'svelte';

import { holdFocus } from '../kit/hold';
import { t } from '../messages/index.svelte';
import { adding } from '../state/adding.svelte';
import { app } from '../state/app.svelte';
import { type CommandId, commands } from '../state/commands.svelte';
import { creating } from '../state/creating.svelte';
import { layout } from '../state/layout.svelte';
import { cycleRegion, focusRegionSoon } from '../state/regions';
import { rescan } from '../state/rescan.svelte';
import { takeFocus } from '../state/sides';
import type { SettingsPage } from '../state/tab.svelte';
import { troubled } from '../state/troubled.svelte';
import { workspace } from '../state/workspace.svelte';
import { leftSides, rightSides } from './registry';

/** Commands that belong to no feature: tabs, panes, regions, theme. */
export function provideShellCommands(): () => void {
  const back: (() => void)[] = [];
  const provide = (id: CommandId, run: () => void, enabled?: () => boolean) => back.push(commands.provide(id, run, enabled));

  provide('tab.close', () => workspace.tab !== undefined && void workspace.close(workspace.tab), () => workspace.tab !== undefined);
  provide('tab.reopen', () => workspace.reopen(), () => workspace.canReopen);
  provide('tab.next', () => workspace.cycle(1));
  provide('tab.previous', () => workspace.cycle(-1));
  provide('tab.split', () => workspace.splitRight(), () => workspace.tab !== undefined);
  provide('go.back', () => workspace.go(-1));
  provide('go.forward', () => workspace.go(1));
  provide('go.search', () => void workspace.openSearch());
  provide('pane.left', () => {
    layout.toggleLeft();
    layout.save();
    if (layout.drawerShown) void focusRegionSoon('leftList');
  });
  provide('region.next', () => cycleRegion(1));
  provide('region.previous', () => cycleRegion(-1));
  const openSettings = (page: SettingsPage) => {
    layout.overSettings = false;
    workspace.openSettings(page);
  };
  provide('settings.open', () => openSettings('appearance'));
  provide('settings.models', () => openSettings('models'));
  provide('settings.web', () => openSettings('web'));
  provide('settings.keys', () => openSettings('keyboard'));
  for (const [id, what] of [['note.new', 'note'], ['folder.new', 'folder']] as const) {
    provide(
      id,
      () => {
        const before = document.activeElement;
        layout.showLeft('files');
        creating.ask(what);
        // The name is typed in the tree, which may be on its way.
        void tick().then(() => {
          if (document.activeElement === before || document.activeElement === document.body) holdFocus(t('view.loading'));
        });
      },
      () => app.knowledgeBases.some((kb) => !kb.offline),
    );
  }
  provide('kb.add', () => {
    // The system's own chooser needs no page; errors and the list of folders do.
    if (!app.capabilities.nativeDialogs) workspace.openSettings('knowledgeBases');
    void adding.begin().then(() => {
      if (adding.error !== undefined) workspace.openSettings('knowledgeBases');
    });
  });
  provide(
    'files.troubled',
    () => {
      layout.showLeft('files');
      troubled.shown = true;
    },
    () => troubled.count > 0,
  );
  provide('kb.rescan', () => rescan.all(), () => app.knowledgeBases.length > 0);
  provide('theme.light', () => void app.set({ theme: 'light' }));
  provide('theme.dark', () => void app.set({ theme: 'dark' }));
  provide('theme.system', () => void app.set({ theme: 'system' }));

  for (const side of leftSides) {
    if (side.value === 'search') continue;
    provide(side.command, () => {
      layout.showLeft(side.value);
      layout.save();
      void focusRegionSoon('leftList');
    });
  }
  if (rightSides.length > 0) {
    provide('pane.right', () => {
      layout.toggleRight();
      layout.save();
    });
  }
  for (const side of rightSides) {
    provide(side.command, () => {
      layout.showRight(side.value);
      layout.save();
      void tick().then(() => takeFocus(side.value) || void focusRegionSoon(side.start));
    });
  }
  commands.pickTab = (n) => workspace.pick(n);
  return () => {
    for (const undo of back) undo();
  };
}
