import { describe, expect, it } from 'vitest';

import { checkForm } from './form';
import { usualPlace } from './keys';

describe('checkForm', () => {
  const address = (baseUrl: string) => checkForm({ baseUrl, model: 'm', context: '128,000' }).baseUrl;

  it('takes https anywhere and http on this machine', () => {
    for (const good of ['https://api.example.com/v1', 'http://localhost:11434/v1', 'http://127.0.0.1:8080', 'http://[::1]:80/v1']) {
      expect(address(good), good).toBeUndefined();
    }
    expect(address('http://api.example.com/v1')).toBe('settings.addressPlain');
    expect(address('http://127.0.0.1.example.com')).toBe('settings.addressPlain');
    expect(address('https://key@api.example.com')).toBe('settings.addressWithKey');
    expect(address('api.example.com')).toBe('settings.addressWrong');
    expect(address('file:///etc/passwd')).toBe('settings.addressWrong');
  });

  it('wants a model and a sensible length', () => {
    expect(checkForm({ baseUrl: 'https://a.b', model: ' ', context: '12' })).toEqual({
      model: 'settings.modelMissing',
      context: 'settings.contextWrong',
    });
    expect(checkForm({ baseUrl: 'https://a.b', model: 'm', context: 'many' }).context).toBeDefined();
  });
});

it('keeps a key in the keyring, and without one never in a place that was not chosen', () => {
  const status = { keyring: false, reason: null, file: false, fileOpen: false };
  expect(usualPlace({ ...status, keyring: true })).toBe('keyring');
  expect(usualPlace(status)).toBe('run');
  expect(usualPlace({ ...status, file: true })).toBe('run');
  expect(usualPlace({ ...status, file: true, fileOpen: true })).toBe('file');
});
