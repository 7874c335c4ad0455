import type { ChangeSetId, Message, MessageContent, MessageId, ToolStep, TurnId } from '../../api/generated/commands';

export type AnswerContent = Extract<MessageContent, { role: 'assistant' }>;
export type CheckpointContent = Extract<MessageContent, { role: 'checkpoint' }>;
export type NoticeContent = Extract<MessageContent, { role: 'notice' }>;

/** What the transcript shows, top to bottom. */
export type Entry =
  | { kind: 'user'; id: string; messageId: MessageId; text: string; turnId: TurnId }
  | { kind: 'answer'; id: string; messageId: MessageId; content: AnswerContent }
  | { kind: 'steps'; id: string; turnId: TurnId | null; steps: ToolStep[] }
  | { kind: 'checkpoint'; id: string; messageId: MessageId; content: CheckpointContent }
  | { kind: 'notice'; id: string; content: NoticeContent }
  | { kind: 'changes'; id: string; changeSetId: ChangeSetId; turnId: TurnId | null };

/**
 * Groups tool calls that follow each other and puts a change set's card after the steps that made it.
 * The card of a running group waits until the group has ended: what has appeared does not move. A set that grows
 * from turn to turn has one card, after the last steps that changed it.
 */
export function entries(messages: readonly Message[], running: boolean): Entry[] {
  const list: Entry[] = [];
  let steps: ToolStep[] = [];
  let first: MessageId = 0;
  let turn: TurnId | null = null;

  const close = (ended: boolean) => {
    if (steps.length === 0) return;
    list.push({ kind: 'steps', id: `steps-${first}`, turnId: turn, steps });
    if (ended) {
      for (const { changeSetId } of steps) {
        if (changeSetId === null) continue;
        const earlier = list.findIndex((entry) => entry.kind === 'changes' && entry.changeSetId === changeSetId);
        if (earlier >= 0) list.splice(earlier, 1);
        list.push({ kind: 'changes', id: `changes-${turn}-${changeSetId}`, changeSetId, turnId: turn });
      }
    }
    steps = [];
  };

  for (const { id, turnId, content } of messages) {
    if (turnId !== turn) {
      close(true);
      turn = turnId;
    }
    if (content.role === 'tool') {
      if (steps.length === 0) first = id;
      steps.push(content);
      continue;
    }
    // A model that calls tools without saying anything leaves an empty message behind.
    if (content.role === 'assistant' && content.text === '' && !content.interrupted && id !== messages.at(-1)?.id) {
      continue;
    }
    close(true);
    if (content.role === 'user') list.push({ kind: 'user', id: `user-${id}`, messageId: id, text: content.text, turnId });
    else if (content.role === 'assistant') list.push({ kind: 'answer', id: `answer-${id}`, messageId: id, content });
    else if (content.role === 'checkpoint') list.push({ kind: 'checkpoint', id: `checkpoint-${id}`, messageId: id, content });
    else list.push({ kind: 'notice', id: `notice-${id}`, content });
  }
  close(!running);
  return list;
}

/** What was asked last is answered with passages, without a model. */
export function quotesOnly(list: readonly Entry[]): boolean {
  const asked = list.findLastIndex(({ kind }) => kind === 'user');
  return list.slice(asked + 1).some((entry) => entry.kind === 'notice' && entry.content.warning.code === 'offlineNoModel');
}

/** The question that a model did not answer to the end, as the last notice says. */
export function endedBadly(list: readonly Entry[]): string | undefined {
  const last = list.at(-1);
  if (last?.kind !== 'notice' || !/^(?:model|key|turn)[A-Z]/.test(last.content.warning.code)) return undefined;
  return list.findLast((entry) => entry.kind === 'user')?.text;
}

const FINISHED = new Set<ToolStep['state']>(['done', 'denied', 'failed', 'cancelled']);

/** Four finished steps and more fold into one line, unless one of them went wrong. */
export function foldsSteps(steps: readonly ToolStep[]): boolean {
  return steps.length >= 4 && steps.every(({ state }) => FINISHED.has(state));
}

/** Puts a message in its place: the same id is replaced, a new one goes to the end. */
export function withMessage(messages: readonly Message[], message: Message): Message[] {
  const at = messages.findIndex(({ id }) => id === message.id);
  if (at < 0) return [...messages, message];
  const next = [...messages];
  next[at] = message;
  return next;
}

/** Replaces a tool step by its message. */
export function withStep(messages: readonly Message[], messageId: MessageId, step: ToolStep): Message[] {
  return messages.map((message) =>
    message.id === messageId ? { ...message, content: { role: 'tool', ...step } } : message,
  );
}
