import { afterEach, describe, expect, it } from 'vitest';

import { describeNote, useLocale } from '../../messages/index.svelte';

const CODES = [
  'gone', 'folderThere', 'fileThere', 'notPlain', 'taken', 'nameAlike', 'folderHolds', 'changedAfterMade', 'fileChanged',
  'folderChanged', 'changedHere', 'offeredAnew', 'changedMeanwhile', 'replaced', 'meetsOther', 'meetsApplied', 'builtOnRejected',
  'noFolder', 'folderGone', 'moveFirst', 'notKept', 'notWhatWent', 'volumeWithin', 'resolved', 'settled', 'onCurrent', 'again', 'diskFull', 'trash',
];

describe('describeNote', () => {
  afterEach(() => useLocale('en'));

  it('has a sentence for every note of the core in both languages', async () => {
    for (const code of CODES) expect(describeNote({ code, detail: 'x' }), code).toMatch(/ /);
    await useLocale('zh-CN');
    for (const code of CODES) expect(describeNote({ code, detail: 'x' }), code).toMatch(/\p{Script=Han}/u);
  });

  it('keeps names, and shows what it does not know as it came', () => {
    expect(describeNote({ code: 'taken', detail: 'a b/c.md' })).toContain('a b/c.md');
    expect(describeNote({ code: 'unheardOf', detail: 'a new reason' })).toBe('unheardOf: a new reason');
  });
});
