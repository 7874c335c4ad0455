import { describe, expect, it } from 'vitest';
import type { Message, MessageContent, ToolStep } from '../../api/generated/commands';
import { endedBadly, entries, foldsSteps, quotesOnly, withMessage } from './transcript';

let lastId = 0;
function message(turnId: number, content: MessageContent): Message {
  return { id: ++lastId, turnId, createdAt: 0, content };
}
function step(state: ToolStep['state'], changeSetId: number | null = null): ToolStep {
  return {
    callId: 'c',
    tool: 'edit',
    subject: '',
    state,
    arguments: '',
    result: '',
    count: null,
    tookMs: null,
    changeSetId,
  };
}
const user = (text: string): MessageContent => ({ role: 'user', text });
const says = (text: string): MessageContent => ({
  role: 'assistant',
  text,
  citations: [],
  model: null,
  interrupted: false,
});
const uses = (state: ToolStep['state'], changeSetId: number | null = null): MessageContent => ({
  role: 'tool',
  ...step(state, changeSetId),
});

describe('transcript', () => {
  const kinds = (messages: Message[], running = false) => entries(messages, running).map(({ kind }) => kind);

  it('groups steps and puts one card of a change set after them', () => {
    const messages = [
      message(1, user('q')),
      message(1, says('')),
      message(1, uses('done')),
      message(1, uses('done', 7)),
      message(1, uses('done', 7)),
      message(1, says('Proposed.')),
      message(2, user('more')),
      message(2, uses('done', 7)),
    ];
    expect(kinds(messages)).toEqual(['user', 'steps', 'answer', 'user', 'steps', 'changes']);
    expect(kinds(messages, true)).toEqual(['user', 'steps', 'changes', 'answer', 'user', 'steps']);
  });

  it('shows where older turns were shortened', () => {
    const checkpoint = { role: 'checkpoint', text: 'Salt.', covers: 1, model: null, edited: false, tokensBefore: 9, tokensAfter: 3 } as const;
    expect(kinds([message(1, user('q')), message(1, says('a')), message(2, checkpoint)])).toEqual(['user', 'answer', 'checkpoint']);
  });

  it('folds only when all has ended', () => {
    expect(foldsSteps([step('done'), step('done'), step('failed'), step('done')])).toBe(true);
    expect(foldsSteps([step('done'), step('done'), step('done'), step('running')])).toBe(false);
    expect(foldsSteps([step('done')])).toBe(false);
  });

  it('replaces a message by its id', () => {
    const first = message(1, says('a'));
    const list = withMessage([first], { ...first, content: says('ab') });
    expect(list.length).toBe(1);
    expect(withMessage(list, message(1, says('c'))).length).toBe(2);
  });
});

describe('endedBadly', () => {
  const notice = (code: string): MessageContent => ({ role: 'notice', warning: { code, detail: '' } });
  const of = (...contents: MessageContent[]) => endedBadly(entries(contents.map((content) => message(1, content)), false));

  it('is the question whose answer a model or its key broke off', () => {
    expect(of(user('first'), says('fine'), user('second'), notice('modelBusy'))).toBe('second');
    expect(of(user('first'), notice('keyMissing'))).toBe('first');
  });

  it('is nothing where the turn came to its end', () => {
    expect(of(user('first'), says('fine'))).toBeUndefined();
    expect(of(user('first'), notice('offlineNothingFound'))).toBeUndefined();
    expect(of(user('first'), notice('modelBusy'), says('fine'))).toBeUndefined();
  });
});

describe('quotesOnly', () => {
  const noModel: MessageContent = { role: 'notice', warning: { code: 'offlineNoModel', detail: '' } };
  const list = (...contents: MessageContent[]) => entries(contents.map((content) => message(1, content)), false);

  it('is said of the question that was asked last', () => {
    expect(quotesOnly(list(user('a'), noModel, says('> passage')))).toBe(true);
    expect(quotesOnly(list(user('a'), noModel, says('> passage'), user('b'), says('an answer')))).toBe(false);
    expect(quotesOnly([])).toBe(false);
  });
});
