// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../api/client';
import type { Approval, Message, MessageContent, Session } from '../../api/generated/commands';
import { Conversation } from './conversation.svelte';

const session: Session = {
  id: 's',
  title: '',
  kbIds: [],
  level: 'L2',
  plan: false,
  modelId: null,
  createdAt: 0,
  updatedAt: 0,
  running: null,
  inputTokens: 0,
  outputTokens: 0,
  context: { tokens: 0, counted: false },
  pinned: false,
  archived: false,
};

/** Answers are given by hand, so that events can come before them. */
let answer: (transcript: { messages: Message[]; approvals: Approval[]; session: Session }) => void;
let calls: { method: string; params: unknown }[];

beforeEach(() => {
  calls = [];
  const host: Parameters<typeof connect>[0] = {
    call: (method, params) => {
      calls.push({ method, params });
      return new Promise((resolve) => (answer = resolve));
    },
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: () => Promise.resolve(),
    onClose: () => () => {},
  };
  connect(host);
});

function message(id: number, content: MessageContent): Message {
  return { id, turnId: 1, createdAt: 0, content };
}
const says = (text: string, interrupted = true): MessageContent => ({
  role: 'assistant',
  text,
  citations: [],
  model: null,
  interrupted,
});
const user: MessageContent = { role: 'user', text: 'q' };
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function opened(messages: Message[] = [], running: number | null = null): Promise<Conversation> {
  const conversation = new Conversation('s');
  const loaded = conversation.load();
  answer({ session: { ...session, running }, messages, approvals: [] });
  await loaded;
  return conversation;
}

describe('a conversation', () => {
  it('puts streamed pieces in once a frame and ends with the whole message', async () => {
    const conversation = await opened();
    conversation.take({ type: 'turnStarted', sessionId: 's', turnId: 1 });
    conversation.take({ type: 'message', sessionId: 's', message: message(1, user) });
    conversation.take({ type: 'message', sessionId: 's', message: message(2, says('')) });
    for (const delta of ['One ', 'para', 'graph.\n\n', 'Two']) {
      conversation.take({ type: 'text', sessionId: 's', messageId: 2, delta });
    }
    expect(conversation.stream?.text.tail).toBe('');
    await frame();
    expect(conversation.stream?.text.finished).toEqual(['One paragraph.\n\n']);
    expect(conversation.stream?.text.tail).toBe('Two');
    conversation.take({ type: 'message', sessionId: 's', message: message(2, says('One paragraph.\n\nTwo.', false)) });
    expect(conversation.stream).toBeUndefined();
    conversation.take({ type: 'turnEnded', sessionId: 's', turnId: 1 });
    expect(conversation.running).toBeNull();
    expect(conversation.messages.length).toBe(2);
  });

  it('keeps what events said while the transcript was on its way', async () => {
    const conversation = new Conversation('s');
    const loaded = conversation.load();
    conversation.take({ type: 'turnStarted', sessionId: 's', turnId: 1 });
    conversation.take({ type: 'message', sessionId: 's', message: message(5, user) });
    answer({ session, messages: [message(1, user), message(2, says('before', false))], approvals: [] });
    await loaded;
    expect(conversation.messages.map(({ id }) => id)).toEqual([1, 2, 5]);
    expect(conversation.running).toBe(1);
  });

  it('says that the model is asked again until something comes', async () => {
    const conversation = await opened();
    conversation.take({ type: 'turnStarted', sessionId: 's', turnId: 1 });
    conversation.take({ type: 'retrying', sessionId: 's', turnId: 1, attempt: 1, waitMs: 1500 });
    expect(conversation.retry).toBe(2);
    conversation.take({ type: 'retrying', sessionId: 'other', turnId: 9, attempt: 1, waitMs: 9000 });
    expect(conversation.retry).toBe(2);
    conversation.take({ type: 'message', sessionId: 's', message: message(1, says('At last')) });
    expect(conversation.retry).toBeUndefined();
  });

  it('goes on with an answer that was being written when the page was opened', async () => {
    const conversation = await opened([message(1, user), message(2, says('So far'))], 1);
    conversation.take({ type: 'text', sessionId: 's', messageId: 2, delta: ' and on' });
    await frame();
    expect(conversation.stream?.text.tail).toBe('So far and on');
  });

  it('asks once, answers once, and lets what is left expire with the turn', async () => {
    const conversation = await opened();
    conversation.take({ type: 'turnStarted', sessionId: 's', turnId: 1 });
    const approval = (id: number): Approval => ({
      id,
      sessionId: 's',
      turnId: 1,
      callId: `c${id}`,
      card: { tool: 'read', question: 'outsideRead', facts: [], rules: [] },
      state: 'waiting',
    });
    conversation.take({ type: 'approval', approval: approval(1) });
    conversation.take({ type: 'approval', approval: approval(1) });
    conversation.take({ type: 'approval', approval: approval(2) });
    expect(conversation.waiting.length).toBe(2);
    conversation.answer(approval(1), false);
    expect(calls.at(-1)).toEqual({ method: 'agent.answer', params: { approvalId: 1, allow: false, rule: null } });
    expect(conversation.waiting.map(({ id }) => id)).toEqual([2]);
    conversation.take({ type: 'turnEnded', sessionId: 's', turnId: 1 });
    expect(conversation.approvals.map(({ state }) => state)).toEqual(['denied', 'expired']);
  });

  it('ignores other sessions', async () => {
    const conversation = await opened();
    conversation.take({ type: 'message', sessionId: 'other', message: message(9, user) });
    expect(conversation.messages).toEqual([]);
  });
});

it('runs from the reply on, unless its turn has ended by then', async () => {
  const conversation = await opened();
  conversation.began(4);
  expect(conversation.running).toBe(4);
  conversation.take({ type: 'turnEnded', sessionId: 's', turnId: 4 });
  conversation.began(4);
  expect(conversation.running).toBeNull();
  conversation.close();
});
