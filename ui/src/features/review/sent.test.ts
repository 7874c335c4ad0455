import { describe, expect, it } from 'vitest';
import { Sent } from './sent.svelte';

describe('Sent', () => {
  it('shows a decision until an answer has it', () => {
    const sent = new Sent();
    const one = sent.put(0, 'accepted');
    sent.meet(['undecided']);
    expect(sent.of(0)).toBe('accepted');
    sent.settle(0, one, true);
    // Asked for before the decision was taken.
    sent.meet(['undecided']);
    expect(sent.of(0)).toBe('accepted');
    sent.meet(['accepted']);
    expect(sent.of(0)).toBeUndefined();
  });

  it('believes the second answer, whatever it says', () => {
    const sent = new Sent();
    sent.settle(0, sent.put(0, 'accepted'), true);
    sent.meet(['undecided']);
    sent.meet(['rejected']);
    expect(sent.of(0)).toBeUndefined();
  });

  it('forgets what was refused, but not what was decided since', () => {
    const sent = new Sent();
    const first = sent.put(0, 'accepted');
    const second = sent.put(0, 'rejected');
    sent.settle(0, first, false);
    expect(sent.of(0)).toBe('rejected');
    sent.settle(0, second, false);
    expect(sent.of(0)).toBeUndefined();
  });
});
