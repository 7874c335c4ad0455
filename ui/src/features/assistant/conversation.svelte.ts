import { asApiError, call, type ApiError } from '../../api/client';
import { events } from '../../api/events';
import type { Approval, Event, Message, MessageId, RuleReach, SessionId, TurnId } from '../../api/generated/commands';
import { live } from '../../kit/live.svelte';
import { t } from '../../messages/index.svelte';
import { Outputs } from './output.svelte';
import { Segments } from './segments';
import { withMessage, withStep } from './transcript';

/** An answer that is being written. Pieces are put in once per frame, however many arrive. */
export class Stream {
  finished = $state.raw<readonly string[]>([]);
  tail = $state('');
  #segments = new Segments();
  #waiting = '';
  #frame: number | undefined;

  constructor(text: string) {
    if (text !== '') this.#put(text, false);
  }

  push(delta: string): void {
    this.#waiting += delta;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.flush();
    });
  }

  flush(): void {
    if (this.#waiting === '') return;
    const text = this.#waiting;
    this.#waiting = '';
    this.#put(text, true);
  }

  /** The answer is whole: its last paragraph is spoken too. */
  end(): void {
    this.flush();
    speak(this.tail);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #put(text: string, aloud: boolean): void {
    const before = this.#segments.finished.length;
    if (this.#segments.push(text)) {
      this.finished = [...this.#segments.finished];
      if (aloud) for (const part of this.finished.slice(before)) speak(part);
    }
    this.tail = this.#segments.tail;
  }
}

/** What was said in one session, kept fresh by its events. */
export class Conversation {
  messages = $state.raw<readonly Message[]>([]);
  approvals = $state.raw<readonly Approval[]>([]);
  running = $state.raw<TurnId | null>(null);
  loaded = $state(false);
  failure = $state.raw<ApiError>();
  /** Seconds until the model is asked again, while it did not answer. */
  retry = $state.raw<number>();
  /** The answer being written, by its message. */
  stream = $state.raw<{ id: MessageId; text: Stream }>();
  /** What commands write while they run. */
  readonly outputs = new Outputs();
  readonly waiting = $derived(this.approvals.filter(({ state }) => state === 'waiting'));
  #stop: () => void;
  #round = 0;
  /** Something was said since the last load began. */
  #heard = false;
  #ended: TurnId | undefined;

  constructor(readonly sessionId: SessionId) {
    this.#stop = events.listen((event) => this.take(event));
  }

  async load(): Promise<void> {
    const round = ++this.#round;
    this.#heard = false;
    try {
      const { session, messages, approvals } = await call('session.get', { sessionId: this.sessionId });
      if (round !== this.#round) return;
      // Events that came while this was on its way know more than it does.
      this.messages = this.#heard ? joined(messages, this.messages) : messages;
      this.approvals = joined(approvals, this.approvals);
      this.loaded = true;
      this.failure = undefined;
      if (this.#heard) return;
      this.running = session.running;
      const last = messages.at(-1);
      if (session.running !== null && last?.content.role === 'assistant') this.#begin(last.id, last.content.text);
      else this.#endStream();
    } catch (reason) {
      if (round === this.#round) this.failure = asApiError(reason);
    }
  }

  close(): void {
    this.#stop();
    this.outputs.close();
    this.#endStream();
  }

  /** A question was taken. Its events may have come before this. */
  began(turnId: TurnId): void {
    if (this.#ended === turnId) return;
    this.#heard = true;
    this.running = turnId;
  }

  /** A question was taken back, with all that came after it. */
  rewound(messageId: MessageId): void {
    this.messages = this.messages.filter(({ id }) => id < messageId);
    this.#endStream();
  }

  answer(approval: Approval, allow: boolean, rule: RuleReach | null = null): void {
    const state = allow ? 'allowed' : 'denied';
    const before = this.approvals;
    this.approvals = before.map((one) => (one.id === approval.id ? { ...one, state } : one));
    call('agent.answer', { approvalId: approval.id, allow, rule }).catch((reason: unknown) => {
      this.approvals = before;
      this.failure = asApiError(reason);
    });
  }

  take(event: Event): void {
    if (event.type === 'resync') {
      void this.load();
      return;
    }
    if (event.type === 'stale') {
      // Streams carry their own content; what else touches a transcript is rare.
      if (event.tags.includes('transcript') && this.running === null) void this.load();
      return;
    }
    if (event.type === 'approval') {
      if (event.approval.sessionId === this.sessionId) this.#approve(event.approval);
      return;
    }
    if (!('sessionId' in event) || event.sessionId !== this.sessionId) return;
    if (event.type === 'output') {
      // A job goes on writing when its turn is over.
      this.outputs.take(event);
      return;
    }
    this.#heard = true;
    this.retry = event.type === 'retrying' ? Math.ceil(event.waitMs / 1000) : undefined;
    if (event.type === 'turnStarted') this.running = event.turnId;
    else if (event.type === 'turnEnded') this.#end(event.turnId);
    else if (event.type === 'message') this.#message(event.message);
    else if (event.type === 'text') this.#text(event.messageId, event.delta);
    else if (event.type === 'step') this.messages = withStep(this.messages, event.messageId, event.step);
  }

  #message(message: Message): void {
    if (this.stream?.id === message.id) {
      this.stream.text.end();
      this.#endStream();
    }
    this.messages = withMessage(this.messages, message);
    if (message.content.role === 'assistant' && message.content.interrupted && this.running !== null) {
      this.#begin(message.id, message.content.text);
    }
  }

  #text(id: MessageId, delta: string): void {
    if (this.stream?.id !== id) {
      const known = this.messages.find((message) => message.id === id);
      this.#begin(id, known?.content.role === 'assistant' ? known.content.text : '');
    }
    this.stream?.text.push(delta);
  }

  #begin(id: MessageId, text: string): void {
    this.#endStream();
    this.stream = { id, text: new Stream(text) };
  }

  #endStream(): void {
    this.stream?.text.stop();
    this.stream = undefined;
  }

  #end(turnId: TurnId): void {
    this.#ended = turnId;
    this.running = null;
    this.#endStream();
    // Approvals expire with their turn.
    this.approvals = this.approvals.map((one) => (one.state === 'waiting' ? { ...one, state: 'expired' } : one));
  }

  #approve(approval: Approval): void {
    const known = this.approvals.some(({ id }) => id === approval.id);
    this.approvals = known
      ? this.approvals.map((one) => (one.id === approval.id ? approval : one))
      : [...this.approvals, approval];
    if (!known && approval.state === 'waiting') {
      live.say(t('assistant.approvalsWaiting', { count: this.waiting.length }));
    }
  }
}

/** Says a paragraph without the signs of Markdown. */
function speak(markdown: string): void {
  const text = markdown.replace(/\[\d+\]|【\d+】|[*_`#>|]/g, '').trim();
  if (text !== '') live.say(text);
}

/** A list as it was read, and what is newer than its last entry. */
function joined<Entry extends { id: number }>(read: readonly Entry[], heard: readonly Entry[]): Entry[] {
  const last = read.at(-1)?.id ?? 0;
  return [...read, ...heard.filter(({ id }) => id > last)];
}
