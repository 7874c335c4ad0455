import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalState } from '../api/generated/commands';
import { Approvals } from './approvals.svelte';

function asked(id: number, sessionId: string, turnId: number, state: ApprovalState = 'waiting') {
  const card = { tool: 'exec', question: 'command', facts: [] } as unknown as Approval['card'];
  return { type: 'approval' as const, approval: { id, sessionId, turnId, callId: 'c', card, state } };
}

describe('Approvals', () => {
  it('wait until they are answered or their turn ends', () => {
    const approvals = new Approvals();
    approvals.take(asked(1, 'a', 1));
    approvals.take(asked(2, 'a', 1));
    approvals.take(asked(3, 'b', 2));
    expect(approvals.count).toBe(3);
    approvals.take(asked(1, 'a', 1, 'allowed'));
    expect(approvals.count).toBe(2);
    approvals.take({ type: 'turnEnded', sessionId: 'a', turnId: 1 });
    expect(approvals.count).toBe(1);
    approvals.take({ type: 'resync' });
    expect(approvals.count).toBe(0);
  });
});
