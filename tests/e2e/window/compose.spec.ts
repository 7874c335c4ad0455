import { spawn } from 'node:child_process';

import { expect, test } from '@playwright/test';

import { Places, built } from '../support/host';

/** What the window says of itself: no input method runs where these tests do. */
test('an input method composes inside the page', async () => {
  const places = await Places.make();
  const desktop = spawn(built('ORANGERY_DESKTOP', 'orangery-desktop'), [], {
    env: {
      ...places.environment,
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      ORANGERY_LOG: 'orangery_desktop=debug',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  desktop.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  try {
    await expect.poll(() => said).toContain('compositions are shown in the page');
  } finally {
    const ended = new Promise((done) => desktop.once('exit', done));
    desktop.kill();
    await ended;
    await places.remove();
  }
});
