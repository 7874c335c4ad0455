import { beforeAll, describe, expect, it } from 'vitest';
import { laterMessages } from '../../messages/index.svelte';
import { told } from './findings';

describe('findings', () => {
  beforeAll(laterMessages);

  const finding = { ok: true, detail: 'raw', remedy: null };

  it('say in words what they mean, and keep the detail of what is wrong', () => {
    expect(told({ ...finding, name: 'data' })).toMatchObject({ title: 'Data of the app', detail: 'raw' });
    expect(told({ ...finding, name: 'keyring', ok: false })).toMatchObject({ detail: 'raw' });
    expect(told({ ...finding, name: 'keyring' }).detail).toBe('');
    expect(told({ ...finding, name: 'permissions', ok: false })).toMatchObject({ title: 'Rules of the assistant', detail: 'raw' });
  });

  it('say how PDF comes to be read again', () => {
    expect(told({ ...finding, name: 'pdf', ok: false }).sentence).toContain('PDFium is missing');
  });

  it('show what they do not know as it is', () => {
    expect(told({ ...finding, name: 'pdfium' })).toEqual({ title: 'pdfium', sentence: '', detail: 'raw', remedy: null });
  });
});
