import { describe, expect, it } from 'vitest';

import type { AnyCode } from '../api/client';
import { en as first } from './en';
import { later } from './en/later';
import { systemLocale, t, useLocale } from './index.svelte';
import { zhCN } from './zh-CN';

const en = { ...first, ...later };

describe('messages', () => {
  it('has the same keys in both languages', () => {
    expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort());
  });

  it('has the same kind of message under each key', () => {
    const kinds = (table: object) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key, typeof value]));
    expect(kinds(zhCN)).toEqual(kinds(en));
  });

  it('has a sentence for every code of an error', () => {
    // Checked by the compiler: a code without a sentence is a type error here.
    type Complete = Exclude<`error.${AnyCode}`, keyof typeof en> extends never ? true : false;
    const complete: Complete = true;
    expect(complete).toBe(true);
  });

  it('keeps to the copy rules', () => {
    const all = (table: object) => Object.values(table).map((message: unknown) => (typeof message === 'string' ? message : String(message)));
    for (const text of [...all(en), ...all(zhCN)]) {
      expect(text).not.toMatch(/[!！]["'`]?$/);
      expect(text).not.toMatch(/\bsorry\b|\bplease\b|抱歉|您/i);
    }
  });

  it('switches', async () => {
    await useLocale('zh-CN');
    expect(t('left.files')).toBe('文件');
    expect(t('tab.close', { name: 'A' })).toBe('关闭 A');
    await useLocale('en');
    expect(t('left.files')).toBe('Files');
  });

  it('follows the first language of the system that it has', () => {
    expect(systemLocale(['de-DE', 'zh-Hans-CN', 'en'])).toBe('zh-CN');
    expect(systemLocale(['en-GB', 'zh'])).toBe('en');
    expect(systemLocale(['fr'])).toBe('en');
  });
});
