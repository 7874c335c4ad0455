import { call } from '../api/client';
import { explained, t } from '../messages/index.svelte';

/** For kit/FolderBrowser: folders of this machine, and what its parts are called. */
export async function browseFolders(path: string | null) {
  try {
    return await call('folder.browse', { path });
  } catch (reason) {
    throw explained(reason);
  }
}

export function folderLabels() {
  return {
    folders: t('adding.folders'),
    path: t('adding.path'),
    up: t('adding.up'),
    top: t('adding.top'),
    choose: t('adding.chooseThis'),
    cancel: t('action.cancel'),
    empty: t('adding.noFolders'),
    loading: t('library.loading'),
  };
}
