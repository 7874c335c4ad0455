import { mount } from 'svelte';

import './kit/base.css';
import { connect } from './api/client';
import App from './App.svelte';
import { HttpHost } from './host/http';
import { systemLocale, useLocale } from './messages/index.svelte';
import { openFromAddress } from './router';
import { loadAhead } from './shell/registry';
import { app } from './state/app.svelte';
import { workspace } from './state/workspace.svelte';

async function start(): Promise<void> {
  if ('__TAURI_INTERNALS__' in window) {
    const { TauriHost } = await import('./host/tauri');
    connect(new TauriHost());
  } else {
    const host = new HttpHost();
    await host.enter();
    connect(host);
  }
  await useLocale(document.documentElement.lang === 'zh-CN' ? 'zh-CN' : systemLocale(['en']));
  workspace.restore();
  openFromAddress();
  const target = document.getElementById('app');
  app.follow();
  if (target !== null) mount(App, { target });
  await app.start();
  loadAhead();
}

void start();
