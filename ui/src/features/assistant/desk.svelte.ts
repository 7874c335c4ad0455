import { asApiError, call, type ApiError } from '../../api/client';
import type { FilePlace, Level, MessageId, ModelId, Prompt, Session, SessionId } from '../../api/generated/commands';
import { app } from '../../state/app.svelte';
import { samePlace } from '../../state/place';
import { field, recall, remember } from '../../state/storage';
import { Conversation } from './conversation.svelte';

/** What a session is set to. */
interface Choice {
  level: Level;
  plan: boolean;
  modelId: ModelId | null;
}

/** The conversation in front, and the settings of one that has not begun yet. */
class Desk {
  sessionId = $state<SessionId | undefined>(asText(field(recall('assistant'), 'sessionId')));
  conversation = $state.raw<Conversation>();
  failure = $state.raw<ApiError>();
  /** The question being written; it outlives the pane. */
  draft = $state('');
  mentions = $state.raw<readonly FilePlace[]>([]);
  /** A question is on its way and its turn has not begun yet. */
  sending = $state(false);
  /** Sessions in which L4 was confirmed. */
  readonly confirmed = new Set<SessionId>();
  #next = $state.raw<Partial<Choice>>({});
  #begun: SessionId | undefined;
  #known = $state.raw<readonly Session[]>([]);

  readonly session = $derived(this.#known.find(({ id }) => id === this.sessionId));
  readonly choice = $derived<Choice>({
    level: this.session?.level ?? this.#next.level ?? app.settings?.defaultLevel ?? 'L2',
    plan: this.session?.plan ?? this.#next.plan ?? false,
    modelId: this.session
      ? this.session.modelId
      : this.#next.modelId !== undefined
        ? this.#next.modelId
        : (app.settings?.defaultModel ?? null),
  });

  /** Told whenever the list of sessions is read. */
  know(sessions: readonly Session[]): void {
    // A list that was on its way when a session began does not know it yet.
    const begun = this.#known.find(({ id }) => id === this.#begun && !sessions.some((one) => one.id === id));
    if (!begun) this.#begun = undefined;
    this.#known = begun ? [begun, ...sessions] : sessions;
    if (this.sessionId !== undefined && !this.#known.some(({ id }) => id === this.sessionId))
      this.sessionId = undefined;
  }

  open(sessionId: SessionId | undefined): void {
    this.sessionId = sessionId;
    this.failure = undefined;
    if (sessionId === undefined) this.#next = {};
    remember('assistant', { sessionId });
  }

  /** Sends what is written. Without a session one begins with the settings chosen so far. */
  async send(): Promise<void> {
    const { draft, mentions } = this;
    if (draft.trim() === '' || this.sending) return;
    if (draft.trim() === '/compact') {
      this.draft = '';
      await this.compact();
      return;
    }
    // Taken at once: what is typed while it travels is the next question.
    this.draft = '';
    this.mentions = [];
    const sent = await this.#prompt(async () => ({
      sessionId: this.sessionId ?? (await this.begin()),
      text: draft.trim(),
      mentions: [...mentions],
    }));
    if (!sent) this.#giveBack(draft, mentions);
  }

  /** What was refused is written above what was typed meanwhile. */
  #giveBack(text: string, mentions: readonly FilePlace[]): void {
    this.draft = this.draft === '' ? text : `${text}\n${this.draft}`;
    this.mentions = [...mentions, ...this.mentions.filter((place) => !mentions.some((one) => samePlace(one, place)))];
  }

  /** Asks again what got no answer; what is being written meanwhile stays. */
  async repeat(text: string): Promise<void> {
    const { sessionId } = this;
    if (sessionId === undefined || this.sending) return;
    await this.#prompt(() => Promise.resolve({ sessionId, text, mentions: [] }));
  }

  /** Takes a question back with all that came after it, and asks it in other words. */
  async resend(messageId: MessageId, text: string): Promise<void> {
    const { sessionId } = this;
    if (sessionId === undefined || this.sending || text.trim() === '') return;
    const sent = await this.#prompt(async () => {
      await call('session.rewind', { sessionId, messageId });
      if (this.conversation?.sessionId === sessionId) this.conversation.rewound(messageId);
      return { sessionId, text: text.trim(), mentions: [] };
    });
    if (!sent) this.#giveBack(text, []);
  }

  /** Opens a copy of the conversation that goes on by itself. */
  async fork(until: MessageId | null): Promise<void> {
    const { sessionId } = this;
    if (sessionId === undefined) return;
    await this.attempt(async () => {
      const copy = await call('session.fork', { sessionId, until });
      this.#begun = copy.id;
      this.#known = [copy, ...this.#known];
      this.open(copy.id);
    });
  }

  async arrange(sessionId: SessionId, change: { pinned?: boolean; archived?: boolean }): Promise<void> {
    await this.attempt(() => call('session.arrange', { sessionId, pinned: change.pinned ?? null, archived: change.archived ?? null }));
  }

  /** One question at a time, until its turn is known to run; false when it was refused. */
  async #prompt(question: () => Promise<Prompt>): Promise<boolean> {
    this.sending = true;
    let sent = false;
    await this.attempt(async () => {
      const prompt = await question();
      const { turnId } = await call('agent.prompt', prompt);
      sent = true;
      if (this.conversation?.sessionId === prompt.sessionId) this.conversation.began(turnId);
    });
    this.sending = false;
    return sent;
  }

  /** Puts a checkpoint in place of all turns but the last one. */
  async compact(): Promise<void> {
    const { sessionId } = this;
    if (sessionId === undefined) return;
    await this.attempt(async () => {
      const { turnId } = await call('session.compact', { sessionId });
      if (this.conversation?.sessionId === sessionId) this.conversation.began(turnId);
    });
  }

  /** True when it was kept. */
  async editCheckpoint(messageId: MessageId, text: string): Promise<boolean> {
    const { sessionId } = this;
    if (sessionId === undefined) return false;
    await this.attempt(() => call('session.editCheckpoint', { sessionId, messageId, text }));
    return this.failure === undefined;
  }

  async stop(): Promise<void> {
    const { sessionId } = this;
    if (sessionId !== undefined) await this.attempt(() => call('agent.stop', { sessionId }));
  }

  async choose(change: Partial<Choice>): Promise<void> {
    const { session } = this;
    if (!session) {
      this.#next = { ...this.#next, ...change };
      return;
    }
    await this.attempt(async () => {
      const configured = await call('session.configure', {
        sessionId: session.id,
        kbIds: null,
        level: change.level ?? null,
        plan: change.plan ?? null,
        model: change.modelId === undefined ? null : { modelId: change.modelId },
      });
      this.#known = this.#known.map((one) => (one.id === configured.id ? configured : one));
    });
  }

  async rename(sessionId: SessionId, title: string): Promise<void> {
    await this.attempt(() => call('session.rename', { sessionId, title }));
  }

  async remove(sessionId: SessionId): Promise<void> {
    await this.attempt(() => call('session.remove', { sessionId }));
    if (sessionId === this.sessionId) this.open(undefined);
  }

  /** Runs something that may be refused; the reason is shown above the composer. */
  async attempt(work: () => Promise<unknown>): Promise<void> {
    this.failure = undefined;
    try {
      await work();
    } catch (reason) {
      this.failure = asApiError(reason);
    }
  }

  /** Lets the conversation of the session in front be there; called while the pane is mounted. */
  follow(sessionId: SessionId | undefined): () => void {
    if (sessionId === undefined) {
      this.conversation = undefined;
      return () => undefined;
    }
    const conversation = new Conversation(sessionId);
    this.conversation = conversation;
    void conversation.load();
    return () => conversation.close();
  }

  private async begin(): Promise<SessionId> {
    const { level, plan, modelId } = this.choice;
    const created = await call('session.create', { kbIds: [] });
    const session =
      created.level === level && created.plan === plan && created.modelId === modelId
        ? created
        : await call('session.configure', { sessionId: created.id, kbIds: null, level, plan, model: { modelId } });
    this.#begun = session.id;
    this.#known = [session, ...this.#known];
    this.open(session.id);
    return session.id;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export const desk = new Desk();
