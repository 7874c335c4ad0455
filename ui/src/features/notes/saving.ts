import type { ChangeSet } from '@codemirror/state';
import { type Text } from '@codemirror/state';
import type { OpenNote, PositionEdit, SavedNote, WireError } from '../../api/generated/commands';
import { positionEdits } from '../../editor/position';
import { changesBetween, textOf } from '../../editor/replace';

/** Quiet time after the last key before a save starts, in milliseconds. */
export const IDLE_MS = 600;

/**
 * How long after a save its own events may still come, in milliseconds: one when it is written, one when the watcher
 * has seen it. Those that do not name the text that was saved let the file be looked at once when they are over.
 */
export const ECHO_MS = 1200;

/** `conflict` with no text on the other side means that the file is gone from its place. */
export type SavingState =
  | { phase: 'saved' }
  | { phase: 'waiting' }
  | { phase: 'saving' }
  | { phase: 'failed'; error: WireError }
  | { phase: 'conflict'; theirs: OpenNote | null };

/** The world around a note's saving. */
export interface SavingPort {
  save(base: string, edits: PositionEdit[]): Promise<SavedNote>;
  open(): Promise<OpenNote>;
  /** Writes the note anew where its file is gone. */
  create(text: string): Promise<OpenNote>;
  /** Brings text from the disk into the editor. `undoable` when it replaces what the user wrote. */
  reload(changes: ChangeSet, opened: OpenNote, undoable: boolean): void;
  /** Resolves when no input method is composing: its text must not be moved under it. */
  quiet(): Promise<void>;
  /** Runs later, and not while an input method is composing; the returned function cancels. */
  later(run: () => void, ms: number): () => void;
  changed(state: SavingState): void;
}

/**
 * Saves one open note: at most one save is in flight, later edits are composed onto it, and nothing is
 * written once the disk has moved under unsaved text. The user's text is never dropped: after every
 * outcome `base text + flying + pending` is what the editor shows.
 */
export class Saving {
  private state: SavingState = { phase: 'saved' };
  private base: string;
  private baseText: Text;
  private flying: ChangeSet | null = null;
  private pending: ChangeSet | null = null;
  private cancelTimer: (() => void) | null = null;
  /** Set while events may be echoes of the last save. */
  private cancelEcho: (() => void) | null = null;
  private settled: Promise<void> = Promise.resolve();
  private hurry = false;
  private lookAgain = false;
  /** What the disk was last said to hold. */
  private heard: string | null = null;
  private looking = false;
  private stopped = false;

  constructor(
    private readonly port: SavingPort,
    opened: OpenNote,
  ) {
    this.base = opened.base;
    this.baseText = textOf(opened.text);
  }

  get current(): SavingState {
    return this.state;
  }

  get baseHash(): string {
    return this.base;
  }

  /** The text as the editor shows it. */
  get text(): Text {
    const sent = this.flying ? this.flying.apply(this.baseText) : this.baseText;
    return this.pending ? this.pending.apply(sent) : sent;
  }

  get unsaved(): boolean {
    return this.flying !== null || this.pending !== null;
  }

  /** The user changed the text. */
  edited(changes: ChangeSet): void {
    if (changes.empty) return;
    this.pending = this.pending ? this.pending.compose(changes) : changes;
    if (this.state.phase === 'conflict') return;
    if (this.state.phase !== 'saving' && this.state.phase !== 'failed') this.become({ phase: 'waiting' });
    this.schedule();
  }

  /** Saves now what is unsaved; resolves when it is done or has failed. */
  async flush(): Promise<void> {
    this.stopTimer();
    if (this.state.phase === 'conflict') return;
    if (this.flying) {
      this.hurry = true;
      await this.settled;
    } else if (this.pending) {
      this.settled = this.save(this.pending);
      await this.settled;
    }
  }

  /** The file's bytes changed on disk, perhaps by our own save: `hash` names them where they are known. */
  diskChanged(hash: string | null = null): void {
    this.heard = hash;
    if (hash === this.base && this.state.phase !== 'conflict') {
      this.lookAgain = false;
      return;
    }
    if (this.flying || this.looking || this.cancelEcho) this.lookAgain = true;
    else void this.look();
  }

  /** Writes the user's text over what is on disk; the other text stays as a version. */
  async keepMine(): Promise<void> {
    if (this.state.phase !== 'conflict') return;
    const mine = this.text;
    const { theirs } = this.state;
    if (!theirs) {
      try {
        this.rest(await this.port.create(mine.toString()));
      } catch (error) {
        this.become({ phase: 'failed', error: error as WireError });
      }
      return;
    }
    this.base = theirs.base;
    this.baseText = textOf(theirs.text);
    this.pending = changesBetween(this.baseText, mine);
    this.become({ phase: 'waiting' });
    await this.flush();
  }

  /** Takes what is on disk; undo brings the user's text back. */
  loadTheirs(): void {
    if (this.state.phase !== 'conflict' || !this.state.theirs) return;
    const { theirs } = this.state;
    const changes = changesBetween(this.text, textOf(theirs.text));
    this.rest(theirs);
    this.port.reload(changes, theirs, true);
  }

  /** Starts from unsaved text of an earlier run that belongs to another state of the file. */
  meet(theirs: OpenNote, mine: Text): void {
    this.pending = changesBetween(this.baseText, mine);
    this.stopTimer();
    this.become({ phase: 'conflict', theirs });
  }

  stop(): void {
    this.stopped = true;
    this.stopTimer();
    this.cancelEcho?.();
    this.cancelEcho = null;
  }

  private rest(opened: OpenNote): void {
    this.base = opened.base;
    this.baseText = textOf(opened.text);
    this.flying = null;
    this.pending = null;
    this.stopTimer();
    this.become({ phase: 'saved' });
  }

  private async save(sent: ChangeSet): Promise<void> {
    this.pending = null;
    this.flying = sent;
    this.hurry = false;
    this.become({ phase: 'saving' });
    this.cancelEcho?.();
    this.cancelEcho = null;
    try {
      const saved = await this.port.save(this.base, positionEdits(this.baseText, sent));
      this.baseText = sent.apply(this.baseText);
      this.base = saved.base;
      this.flying = null;
      if (this.heard === this.base) this.lookAgain = false;
      this.awaitEcho();
    } catch (error) {
      this.flying = null;
      this.pending = this.pending ? sent.compose(this.pending) : sent;
      const failure = error as WireError;
      if (failure.kind === 'conflict' || failure.kind === 'notFound') await this.look(failure);
      else this.become({ phase: 'failed', error: failure });
      return;
    }
    if (this.pending && this.hurry) await this.save(this.pending);
    else if (this.pending) {
      this.become({ phase: 'waiting' });
      this.schedule();
    } else this.become({ phase: 'saved' });
  }

  private awaitEcho(): void {
    if (this.stopped) return;
    this.cancelEcho = this.port.later(() => {
      this.cancelEcho = null;
      if (!this.lookAgain || this.flying || this.looking) return;
      this.lookAgain = false;
      void this.look();
    }, ECHO_MS);
  }

  /** Compares the disk with what this note rests on. */
  private async look(failure: WireError | null = null): Promise<void> {
    this.looking = true;
    let opened: OpenNote | null;
    try {
      opened = await this.port.open();
      await this.port.quiet();
    } catch (error) {
      this.looking = false;
      const reason = error as WireError;
      if (reason.kind === 'notFound') this.collide(null);
      else if (this.unsaved) this.become({ phase: 'failed', error: failure ?? reason });
      return;
    }
    this.looking = false;
    if (this.flying) {
      // A save started meanwhile; what it says decides.
      this.lookAgain = true;
      return;
    }
    if (this.lookAgain) {
      this.lookAgain = false;
      await this.look(failure);
      return;
    }
    this.compare(opened, failure);
  }

  private compare(opened: OpenNote, failure: WireError | null): void {
    const theirs = textOf(opened.text);
    if (opened.base === this.base) {
      if (failure) this.become({ phase: 'failed', error: failure });
      else if (this.state.phase === 'conflict') {
        this.become({ phase: 'waiting' });
        this.schedule();
      }
    } else if (!this.pending || this.text.eq(theirs)) {
      const changes = changesBetween(this.text, theirs);
      this.rest(opened);
      this.port.reload(changes, opened, false);
    } else {
      this.collide(opened);
    }
  }

  private collide(theirs: OpenNote | null): void {
    this.stopTimer();
    this.become({ phase: 'conflict', theirs });
  }

  private schedule(): void {
    this.stopTimer();
    if (this.flying) return;
    this.cancelTimer = this.port.later(() => {
      this.cancelTimer = null;
      void this.flush();
    }, IDLE_MS);
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  private become(state: SavingState): void {
    this.state = state;
    this.port.changed(state);
  }
}
