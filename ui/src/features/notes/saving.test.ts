import { ChangeSet } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import type { OpenNote, PositionEdit, SavedNote, WireError } from '../../api/generated/commands';
import { dropDraft, keepDraft, readDraft } from './draft';
import { ECHO_MS, IDLE_MS, Saving, type SavingPort, type SavingState } from './saving';

function opened(text: string, base: string): OpenNote {
  const place = { kbId: 1, path: 'a.md' };
  return { file: null, place, text, base, encoding: 'UTF-8', bom: false, lineEnding: 'lf', readOnly: null };
}

function failure(kind: WireError['kind']): WireError {
  return { kind, code: kind, message: kind, detail: {} };
}

/** A disk whose saves wait until they are let through. */
class World implements SavingPort {
  disk = opened('hello', 'h0');
  shown = 'hello';
  states: SavingState['phase'][] = [];
  saves: { base: string; edits: PositionEdit[] }[] = [];
  undoable: boolean[] = [];
  private waiting: { resolve(saved: SavedNote): void; reject(error: WireError): void }[] = [];
  opens = 0;
  private timers = new Set<{ run: () => void; ms: number }>();
  readonly saving = new Saving(this, this.disk);

  save(base: string, edits: PositionEdit[]): Promise<SavedNote> {
    this.saves.push({ base, edits });
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }
  open = () => {
    this.opens += 1;
    return Promise.resolve(this.disk);
  };
  create = (text: string) => Promise.resolve((this.disk = opened(text, 'made')));
  quiet = () => Promise.resolve();
  reload(changes: ChangeSet, _opened: OpenNote, undoable: boolean) {
    this.undoable.push(undoable);
    this.shown = changes.apply(this.before).toString();
  }
  later(run: () => void, ms: number) {
    const timer = { run, ms };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }
  changed(state: SavingState) {
    this.states.push(state.phase);
  }

  private get before() {
    // `reload` is told after the machine has moved on, as the editor still shows the earlier text.
    return ChangeSet.of({ from: 0, insert: this.shown }, 0).apply(this.empty);
  }
  private readonly empty = this.saving.text.slice(0, 0);

  type(at: number, insert: string) {
    const changes = ChangeSet.of({ from: at, insert }, this.shown.length);
    this.shown = this.shown.slice(0, at) + insert + this.shown.slice(at);
    this.saving.edited(changes);
  }
  idle() {
    this.pass(IDLE_MS);
  }
  pass(ms: number) {
    for (const timer of [...this.timers]) {
      if (timer.ms > ms) continue;
      this.timers.delete(timer);
      timer.run();
    }
  }
  get timersLeft() {
    return this.timers.size;
  }
  async letThrough(base: string, text: string) {
    this.disk = opened(text, base);
    this.waiting.shift()?.resolve({ base, lineEnding: 'lf' });
    await settle();
  }
  async refuse(kind: WireError['kind']) {
    this.waiting.shift()?.reject(failure(kind));
    await settle();
  }
}

/** Lets every promise that can go on do so. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe('saving', () => {
  it('saves once after a pause, however much was typed', async () => {
    const world = new World();
    world.type(5, ' w');
    world.type(7, 'orld');
    expect(world.saves).toEqual([]);
    world.idle();
    expect(world.saves).toEqual([
      {
        base: 'h0',
        edits: [{ from: { line: 1, column: 5 }, to: { line: 1, column: 5 }, insert: ' world' }],
      },
    ]);
    await world.letThrough('h1', 'hello world');
    expect(world.saving.current.phase).toBe('saved');
    expect(world.saving.unsaved).toBe(false);
  });

  it('keeps one save in flight and sends later edits against the new base', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    world.type(0, '>');
    world.idle();
    expect(world.saves.length).toBe(1);
    await world.letThrough('h1', 'hello!');
    world.idle();
    expect(world.saves[1]).toEqual({
      base: 'h1',
      edits: [{ from: { line: 1, column: 0 }, to: { line: 1, column: 0 }, insert: '>' }],
    });
    await world.letThrough('h2', '>hello!');
    expect(world.saving.text.toString()).toBe('>hello!');
  });

  it('flushes everything, what was typed during the save too', async () => {
    const world = new World();
    world.type(5, '!');
    const done = world.saving.flush();
    world.type(6, '!');
    const again = world.saving.flush();
    await world.letThrough('h1', 'hello!');
    expect(world.saves.length).toBe(2);
    await world.letThrough('h2', 'hello!!');
    await Promise.all([done, again]);
    expect(world.saving.unsaved).toBe(false);
  });

  it('keeps the text when a save fails and tries again on demand', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    world.type(6, '?');
    await world.refuse('unavailable');
    expect(world.saving.current).toEqual({ phase: 'failed', error: failure('unavailable') });
    expect(world.saving.text.toString()).toBe('hello!?');
    const retried = world.saving.flush();
    expect(world.saves[1]?.edits[0]?.insert).toBe('!?');
    await world.letThrough('h1', 'hello!?');
    await retried;
    expect(world.saving.current.phase).toBe('saved');
  });

  it('reloads in place while nothing is unsaved', async () => {
    const world = new World();
    world.disk = opened('hello there', 'h9');
    world.saving.diskChanged();
    await settle();
    expect(world.shown).toBe('hello there');
    expect(world.undoable).toEqual([false]);
    expect(world.saving.current.phase).toBe('saved');
    world.type(11, '!');
    world.idle();
    expect(world.saves[0]?.base).toBe('h9');
  });

  it('reads the file once for the echoes of its own save, when they are over', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    world.saving.diskChanged();
    await world.letThrough('h1', 'hello!');
    world.saving.diskChanged();
    world.saving.diskChanged();
    await settle();
    expect(world.opens).toBe(0);
    world.pass(ECHO_MS);
    await settle();
    expect(world.opens).toBe(1);
    expect(world.saving.current.phase).toBe('saved');
    expect(world.undoable).toEqual([]);
  });

  it('reads nothing for echoes that name what was saved, and looks at any other text', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    world.saving.diskChanged('h1');
    await world.letThrough('h1', 'hello!');
    world.saving.diskChanged('h1');
    world.pass(ECHO_MS);
    await settle();
    world.saving.diskChanged('h1');
    await settle();
    expect(world.opens).toBe(0);
    world.disk = opened('HELLO', 'h9');
    world.saving.diskChanged('h9');
    await settle();
    expect(world.opens).toBe(1);
    expect(world.shown).toBe('HELLO');
  });

  it('reads nothing for the echoes of a save while the next one is on its way', async () => {
    const world = new World();
    for (const [turn, text] of ['hello!', 'hello!?', 'hello!?!'].entries()) {
      world.type(5 + turn, text.slice(-1));
      world.idle();
      world.saving.diskChanged();
      await world.letThrough(`h${turn + 1}`, text);
      world.saving.diskChanged();
      await settle();
    }
    expect(world.opens).toBe(0);
    world.pass(ECHO_MS);
    await settle();
    expect(world.opens).toBe(1);
  });

  it('takes another program’s change right after a save, a moment later', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    await world.letThrough('h1', 'hello!');
    world.disk = opened('HELLO', 'h9');
    world.saving.diskChanged();
    world.pass(ECHO_MS);
    await settle();
    expect(world.shown).toBe('HELLO');
    expect(world.saving.baseHash).toBe('h9');
  });

  it('writes nothing once the disk moved under unsaved text', async () => {
    const world = new World();
    world.type(5, '!');
    world.disk = opened('HELLO', 'h9');
    world.saving.diskChanged();
    await settle();
    expect(world.saving.current.phase).toBe('conflict');
    world.type(6, '!');
    expect(world.timersLeft).toBe(0);
    await world.saving.flush();
    expect(world.saves).toEqual([]);
    expect(world.saving.text.toString()).toBe('hello!!');
  });

  it('turns a refused save into the same conflict', async () => {
    const world = new World();
    world.type(5, '!');
    world.idle();
    world.disk = opened('HELLO', 'h9');
    await world.refuse('conflict');
    expect(world.saving.current.phase).toBe('conflict');
  });

  it('keeps mine over theirs, or loads theirs so that undo brings mine back', async () => {
    const mine = new World();
    mine.type(5, '!');
    mine.disk = opened('HELLO', 'h9');
    mine.saving.diskChanged();
    await settle();
    const kept = mine.saving.keepMine();
    expect(mine.saves[0]?.base).toBe('h9');
    await mine.letThrough('h10', 'hello!');
    await kept;
    expect(mine.saving.current.phase).toBe('saved');

    const theirs = new World();
    theirs.type(5, '!');
    theirs.disk = opened('HELLO', 'h9');
    theirs.saving.diskChanged();
    await settle();
    theirs.saving.loadTheirs();
    expect(theirs.shown).toBe('HELLO');
    expect(theirs.undoable).toEqual([true]);
    expect(theirs.saving.unsaved).toBe(false);
  });

  it('writes the note anew when its file is gone', async () => {
    const world = new World();
    world.type(5, '!');
    world.open = () => Promise.reject(failure('notFound'));
    world.saving.diskChanged();
    await settle();
    expect(world.saving.current).toEqual({ phase: 'conflict', theirs: null });
    await world.saving.keepMine();
    expect(world.disk.text).toBe('hello!');
    expect(world.saving.current.phase).toBe('saved');
  });

  it('goes on when both sides came to the same text', async () => {
    const world = new World();
    world.type(5, '!');
    world.disk = opened('hello!', 'h9');
    world.saving.diskChanged();
    await settle();
    expect(world.saving.current.phase).toBe('saved');
    expect(world.saving.baseHash).toBe('h9');
  });
});

describe('drafts', () => {
  it('come back as they were, and a full shelf is said', () => {
    const kept = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    const place = { kbId: 1, path: '日记/a.md' };
    const draft = { base: 'h0', text: 'unsaved 文字', at: 5 };
    expect(keepDraft(shelf, place, draft)).toBe(true);
    expect(readDraft(shelf, place)).toEqual(draft);
    dropDraft(shelf, place);
    expect(readDraft(shelf, place)).toBeNull();
    const full = {
      ...shelf,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(keepDraft(full, place, draft)).toBe(false);
    kept.set('orangery..draft:1:日记/a.md', '{broken');
    expect(readDraft(shelf, place)).toBeNull();
  });
});
