import { expect, it } from 'vitest';

import type { ModelProfile } from '../../api/generated/commands';
import { close, draftOf, isOpen } from './drafts.svelte';

const saved: ModelProfile = { id: 7, name: 'Local', protocol: 'openAi', baseUrl: 'http://localhost:11434/v1', model: 'm', contextTokens: 8000, tools: true, vision: false, key: 'none' };

it('keeps what is typed until it is saved or given up, each model for itself', () => {
  draftOf(undefined).baseUrl = 'https://api.example';
  draftOf(saved).model = 'm2';
  expect(draftOf(undefined)).toMatchObject({ baseUrl: 'https://api.example', model: '' });
  expect(draftOf(saved)).toMatchObject({ name: 'Local', model: 'm2', context: '8000' });
  close(undefined);
  expect([isOpen(undefined), isOpen(7)]).toEqual([false, true]);
  expect(draftOf(undefined).baseUrl).toBe('');
  close(7);
  expect(draftOf(saved).model).toBe('m');
});
