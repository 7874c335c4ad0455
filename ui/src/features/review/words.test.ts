import { afterEach, describe, expect, it } from 'vitest';

import { useLocale } from '../../messages/index.svelte';
import { noteWords } from './words';

const CORE = [
  'the file changed on disk where this operation changes it',
  'it meets what was applied',
  'it changes what another operation of this set changes',
  'the file changed while it was being applied',
  'the file changed since this was proposed',
  'what the folder holds changed since this was proposed',
  'it is gone',
  'the file is gone',
  'it is not there any more',
  'a file is there now',
  'a folder is there now',
  'it is neither a file nor a folder now',
  'something is there already',
  'something is at a b/c.md now; nothing is overwritten',
  'A.md is there, whose name differs in nothing but case',
  'the folder a/b is not there; apply the operation that makes it',
  'the folder a/b is not there any more',
  'the file was changed after it was made; it stays',
  'the folder holds something else by now; it stays',
  'the trash does not hold it any more, and history has no copy of all of it',
  'it updates links to what is not moved; apply the move with it',
  'operation 3 proposed again',
  'operation 3 with its conflict resolved',
  'operation 3 on the text as it is now',
];

describe('noteWords', () => {
  afterEach(() => useLocale('en'));

  it('says every note of the core in Chinese', async () => {
    await useLocale('zh-CN');
    for (const note of CORE) {
      expect(noteWords(note), note).toMatch(/\p{Script=Han}/u);
      expect(noteWords(note), note).not.toMatch(/operation|folder|trash/);
    }
  });

  it('keeps names, and shows what it does not know as it came', () => {
    expect(noteWords('something is at a b/c.md now; nothing is overwritten')).toContain('a b/c.md');
    expect(noteWords('a new reason')).toBe('a new reason');
  });
});
