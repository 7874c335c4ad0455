import { describe, expect, it } from 'vitest';
import { checkForm } from './form';
import { providerOf, providers } from './providers';

describe('providers', () => {
  it('have addresses that can be saved as they are', () => {
    for (const { baseUrl } of providers) {
      expect(checkForm({ baseUrl, model: 'm', context: '1000' }), baseUrl).toEqual({});
      expect(baseUrl).not.toMatch(/\/$/);
    }
  });

  it('are known again by address and protocol', () => {
    for (const provider of providers) {
      expect(providerOf(` ${provider.baseUrl}/ `, provider.protocol)).toBe(provider);
    }
    expect(providerOf('https://api.anthropic.com/v1', 'openAi')).toBeUndefined();
    expect(providerOf('', 'openAi')).toBeUndefined();
  });
});
