import { Channel, convertFileSrc, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import { open } from '@tauri-apps/plugin-dialog';
import { openUrl } from '@tauri-apps/plugin-opener';

import type { Numbered } from '../api/generated/commands';
import type { FolderDrop, Host } from './types';

/** The desktop host: one `rpc` command, one `events` command with a channel, and what only a desktop can do. */
export class TauriHost implements Host {
  call(method: string, params: unknown): Promise<unknown> {
    return invoke('rpc', { method, params });
  }

  listen(since: number, each: (event: Numbered) => void, lost: () => void, opened: () => void): () => void {
    let closed = false;
    const channel = new Channel<Numbered>();
    channel.onmessage = (numbered) => {
      if (!closed) each(numbered);
    };
    // The command stays pending as long as the stream lives.
    invoke('events', { since, channel }).then(
      () => !closed && lost(),
      () => !closed && lost(),
    );
    // It says nothing of its own before the first event: a call made after it that is answered says it is open.
    this.call('host.capabilities', {}).then(
      () => !closed && opened(),
      () => undefined,
    );
    return () => {
      closed = true;
    };
  }

  blobUrl(path: string): string {
    return convertFileSrc(path, 'bytes');
  }

  chooseFolder(title: string): Promise<string | null> {
    return open({ directory: true, multiple: false, title });
  }

  onFolderDrop(each: (state: FolderDrop) => void): () => void {
    const stop = getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (payload.type === 'drop') each({ state: 'dropped', paths: payload.paths });
      else if (payload.type === 'leave') each({ state: 'left' });
      else each({ state: 'over' });
    });
    return () => void stop.then((end) => end());
  }

  onFocus(each: () => void): () => void {
    const stop = getCurrentWindow().onFocusChanged(({ payload: focused }) => {
      if (focused) each();
    });
    return () => void stop.then((end) => end());
  }

  openOutside(url: string): Promise<void> {
    return openUrl(url);
  }

  onClose(unsaved: () => boolean, finish: () => Promise<boolean>): () => void {
    const stop = getCurrentWindow().onCloseRequested(async (event) => {
      if (unsaved() && !(await finish())) event.preventDefault();
    });
    return () => void stop.then((end) => end());
  }
}
