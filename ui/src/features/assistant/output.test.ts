// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { OutputPiece } from '../../api/generated/commands';
import { latest, Outputs } from './output.svelte';
import { ranCommand } from './command';

const out = (text: string): OutputPiece => ({ source: 'stdout', text });
const err = (text: string): OutputPiece => ({ source: 'stderr', text });
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

describe('the output of a command', () => {
  it('keeps the end, from the beginning of a line', () => {
    expect(latest([out('one\ntwo\n'), err('oops\n')], 100)).toEqual({ pieces: [out('one\ntwo\n'), err('oops\n')], cut: false });
    expect(latest([out('one\ntwo\nthree\n'), err('oops\n')], 13)).toEqual({ pieces: [out('three\n'), err('oops\n')], cut: true });
    expect(latest([out('gone\n'), err('exactly')], 7)).toEqual({ pieces: [err('exactly')], cut: true });
    expect(latest([out('a line without end')], 4)).toEqual({ pieces: [out(' end')], cut: true });
  });

  it('joins what comes from one source and is put in once a frame', async () => {
    const outputs = new Outputs();
    const event = { type: 'output', sessionId: 's', turnId: 1, callId: 'c', job: null } as const;
    outputs.take({ ...event, skipped: 0, pieces: [out('one ')] });
    outputs.take({ ...event, skipped: 0, pieces: [out('two\n'), err('oops\n')] });
    expect(outputs.of(1, 'c')?.pieces).toEqual([]);
    await frame();
    expect(outputs.of(1, 'c')?.pieces).toEqual([out('one two\n'), err('oops\n')]);
    expect(outputs.of(1, 'c')?.cut).toBe(false);
    outputs.take({ ...event, skipped: 9, pieces: [out('later\n')] });
    expect(outputs.of(1, 'c')?.cut).toBe(true);
    expect(outputs.of(2, 'c')).toBeUndefined();
    outputs.close();
  });
});

describe('what a command came to', () => {
  const ended = (result: object) => ranCommand(JSON.stringify(result));

  it('is read from its result', () => {
    expect(ended({ outcome: 'exited', exitCode: 0, stdout: 'a\n' })).toMatchObject({ end: { outcome: 'exited', code: 0 }, pieces: [out('a\n')] });
    expect(ended({ outcome: 'signalled', signal: 9, stderr: 'b\n' })).toMatchObject({ end: { outcome: 'signalled', signal: 9 }, pieces: [err('b\n')] });
    expect(ended({ outcome: 'timedOut', stdout: 'a', stderr: 'b', truncated: 'x', blocked: ['no'] })).toMatchObject({
      end: { outcome: 'timedOut' },
      pieces: [out('a'), err('b')],
      truncated: true,
      blocked: ['no'],
    });
    expect(ended({ job: 3, running: true })).toMatchObject({ job: 3, end: undefined });
  });

  it('is nothing where no command ran', () => {
    for (const result of ['', 'no json', '[]', '{"denied":"deniedByLevel"}', '{"opened":true}']) {
      expect(ranCommand(result)).toBeUndefined();
    }
  });
});
