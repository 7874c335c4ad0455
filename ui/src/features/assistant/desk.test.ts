// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { connect } from '../../api/client';
import type { Session } from '../../api/generated/commands';
import { desk } from './desk.svelte';

interface Waiting {
  method: string;
  params: unknown;
  answer: (value: unknown) => void;
  refuse: (reason: unknown) => void;
}

let waiting: Waiting[];
const settled = () => new Promise((done) => setTimeout(done));
const place = { kbId: 1, path: 'glass.md' };

/** The one call of a method. */
function only(method: string): Waiting {
  const found = waiting.filter((one) => one.method === method);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} calls of ${method}`);
  return found[0];
}

function session(id: string, modelId: number | null): Session {
  return {
    id,
    title: '',
    kbIds: [],
    level: 'L2',
    plan: false,
    modelId,
    createdAt: 0,
    updatedAt: 0,
    running: null,
    inputTokens: 0,
    outputTokens: 0,
    context: { tokens: 0, counted: false },
    pinned: false,
    archived: false,
  };
}

beforeEach(() => {
  waiting = [];
  connect({
    call: (method, params) => new Promise((answer, refuse) => waiting.push({ method, params, answer, refuse })),
    listen: () => () => {},
    blobUrl: (path) => path,
    onFocus: () => () => {},
    openOutside: () => Promise.resolve(),
    onClose: () => () => {},
  });
  desk.open(undefined);
  desk.draft = '';
  desk.mentions = [];
});

it('takes what is written at once, so that what is typed meanwhile stays', async () => {
  desk.sessionId = 's';
  desk.draft = ' Where do the trees stand? ';
  desk.mentions = [place];
  const sent = desk.send();
  expect(desk.draft).toBe('');
  expect(desk.mentions).toEqual([]);
  desk.draft = 'And why';
  await settled();
  expect(only('agent.prompt').params).toEqual({ sessionId: 's', text: 'Where do the trees stand?', mentions: [place] });
  only('agent.prompt').answer({ turnId: 1 });
  await sent;
  expect(desk.draft).toBe('And why');
});

it('stays at a new conversation when others begin elsewhere', () => {
  sessionStorage.clear();
  localStorage.clear();
  desk.know([session('elsewhere', 2)]);
  expect(desk.sessionId).toBeUndefined();
  desk.open('elsewhere');
  desk.know([session('newer', null), session('elsewhere', 2)]);
  expect(desk.session?.id).toBe('elsewhere');
});

it('sends one question at a time, and begins one session for it', async () => {
  desk.draft = 'first';
  const sent = desk.send();
  desk.draft = 'second';
  await desk.send();
  expect(desk.draft).toBe('second');
  const { level, plan, modelId } = desk.choice;
  only('session.create').answer({ id: 'new', title: '', kbIds: [], level, plan, modelId });
  await settled();
  await desk.send();
  expect(only('agent.prompt').params).toMatchObject({ sessionId: 'new', text: 'first' });
  only('agent.prompt').answer({ turnId: 1 });
  await sent;
  expect(desk.sending).toBe(false);
});

it('gives back what could not be sent, before what was typed since', async () => {
  desk.sessionId = 's';
  desk.draft = 'first';
  desk.mentions = [place];
  const sent = desk.send();
  desk.draft = 'second';
  desk.mentions = [place, { kbId: 1, path: 'iron.md' }];
  await settled();
  only('agent.prompt').refuse({ kind: 'conflict', code: 'busy', message: 'busy', detail: {} });
  await sent;
  expect(desk.draft).toBe('first\nsecond');
  expect(desk.mentions.map(({ path }) => path)).toEqual(['glass.md', 'iron.md']);
  expect(desk.failure?.kind).toBe('conflict');
  expect(desk.sending).toBe(false);
});

it('gives back a question that was edited and could not be asked again', async () => {
  desk.sessionId = 's';
  const resent = desk.resend(7, 'in other words');
  await settled();
  only('session.rewind').answer(null);
  await settled();
  only('agent.prompt').refuse({ kind: 'unavailable', code: 'ownerLost', message: 'lost', detail: {} });
  await resent;
  expect(desk.draft).toBe('in other words');
});
