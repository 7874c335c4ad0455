import { isolateHistory } from '@codemirror/commands';
import {
  Annotation,
  EditorState,
  Transaction,
  type ChangeSet,
  type StateEffect,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { asApiError, call, type ApiError } from '../../api/client';
import { events } from '../../api/events';
import type { FilePlace, OpenNote, Position } from '../../api/generated/commands';
import { setFocused } from '../../editor/focus';
import { noteExtensions, setReadOnly } from '../../editor/note';
import { positionAt } from '../../editor/position';
import { changesBetween, fromDisk, textOf } from '../../editor/replace';
import { app } from '../../state/app.svelte';
import { placeKey, samePlace, stemOf } from '../../state/place';
import { t } from '../../messages/index.svelte';
import { workspace } from '../../state/workspace.svelte';
import { dropDraft, keepDraft, readDraft } from './draft';
import { NoteLinks } from './links.svelte';
import { editorPhrases } from './phrases';
import { Saving, type SavingPort, type SavingState } from './saving';

/** How soon after a key the draft is written, in milliseconds; long texts wait longer. */
const DRAFT_MS = 250;
const LONG_DRAFT_MS = 2000;
const LONG = 100_000;

/** Marks what another view of the same note has told already. */
const echo = Annotation.define<boolean>();

/** One open note: its text, its saving, and the editor that shows it, which may come and go. */
export class NoteDocument {
  opened = $state.raw<OpenNote>();
  failure = $state.raw<ApiError>();
  state = $state.raw<SavingState>({ phase: 'saved' });
  unsaved = $state(false);
  /** What is unsaved would come back after a crash. False when there was no room for it. */
  kept = $state(true);
  /** When the text that was put back from an earlier run was written. */
  restoredAt = $state<number>();
  /** Grows with every change of text or caret: what shows facts about them reads it. */
  revision = $state(0);
  readonly links: NoteLinks;
  #saving: Saving | undefined;
  /** Saved since the last version that history keeps. */
  #owed = false;
  /** While no view shows it; else the state of the view used last. */
  #rest: EditorState | undefined;
  #views: EditorView[] = [];
  #scroll: StateEffect<unknown> | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void)[] = [];

  constructor(readonly place: FilePlace) {
    this.links = new NoteLinks(place);
  }

  get title(): string {
    return this.opened?.file?.title ?? stemOf(this.place.path);
  }

  /** The text as it stands in the editor. */
  get text(): string {
    return this.editor?.doc.toString() ?? '';
  }

  get editor(): EditorState | undefined {
    return this.#views.at(-1)?.state ?? this.#rest;
  }

  /** Where writing goes on. */
  get caret(): Position | undefined {
    const { editor } = this;
    return editor && positionAt(editor.doc, editor.selection.main.head);
  }

  /** No view has shown it yet, so that where the reader was last may be restored. */
  get unseen(): boolean {
    return this.#scroll === undefined && this.#views.length <= 1;
  }

  async load(): Promise<void> {
    this.failure = undefined;
    try {
      this.begin(await call('note.open', { place: this.place }));
    } catch (reason) {
      this.failure = asApiError(reason);
    }
  }

  /** Reads the file as the user says; what was shown before is replaced. */
  async chooseEncoding(encoding: string): Promise<void> {
    this.begin(await call('note.chooseEncoding', { place: this.place, encoding }));
  }

  /** Puts an editor into the page, as it was when it was last there. Several may show one note. */
  mount(parent: HTMLElement): EditorView {
    const other = this.#views.at(-1);
    const opened = this.opened;
    const state =
      other && opened
        ? EditorState.create({ doc: other.state.doc, extensions: this.extensions(opened) })
        : (this.#rest ?? EditorState.create());
    const view = new EditorView({ parent, state, ...(this.#scroll && !other ? { scrollTo: this.#scroll } : {}) });
    // The state may come from a view that was focused when it was put away.
    view.dispatch({ effects: setFocused.of(view.hasFocus) });
    this.#views.push(view);
    return view;
  }

  /** `scroll` is where it stood; by now its element may be out of the page, and scrolled to nowhere. */
  unmount(view: EditorView, scroll: StateEffect<unknown> = view.scrollSnapshot()): void {
    this.#rest = view.state;
    this.#scroll = scroll;
    this.#views = this.#views.filter((other) => other !== view);
    view.destroy();
    void this.save();
  }

  /** Saves now, as a version that history keeps; false when the text could not be written. */
  async save(): Promise<boolean> {
    await this.#saving?.flush();
    if (this.#saving?.unsaved === true) return false;
    await this.keepVersion();
    return true;
  }

  private async keepVersion(): Promise<void> {
    const base = this.#saving?.baseHash;
    if (base === undefined || !this.#owed) return;
    this.#owed = false;
    // Only a version is at stake: a file that moved on meanwhile keeps its own.
    await call('note.save', { place: this.place, base, edits: [], keep: true }).catch(() => undefined);
  }

  keepMine(): Promise<void> {
    return this.#saving?.keepMine() ?? Promise.resolve();
  }

  loadTheirs(): void {
    this.#saving?.loadTheirs();
  }

  /** Takes a text that was put together outside the editor, as one step that undo takes back. */
  take(text: string): void {
    const editor = this.editor;
    if (!editor) return;
    const changes = changesBetween(editor.doc, textOf(text));
    this.dispatch({ changes, userEvent: 'input.merge', annotations: isolateHistory.of('full') });
  }

  /** Ticks or unticks the task whose box stands at an offset. */
  toggleTask(at: number): void {
    const sign = this.editor?.sliceDoc(at, at + 3) ?? '';
    if (this.opened?.readOnly !== null || !/^\[[ xX]\]$/.test(sign)) return;
    this.dispatch({ changes: { from: at + 1, to: at + 2, insert: sign[1] === ' ' ? 'x' : ' ' }, userEvent: 'input.task' });
  }

  /** Takes the restored text out again: the file's own text stands. */
  discardRestored(): void {
    const opened = this.opened;
    this.restoredAt = undefined;
    if (opened) this.take(opened.text);
  }

  /** Nobody shows it and nothing would be lost. */
  get idle(): boolean {
    return this.#views.length === 0 && !this.unsaved;
  }

  dispose(): void {
    for (const leave of this.#leave) leave();
    this.#leave = [];
    this.#saving?.stop();
    clearTimeout(this.#draftTimer);
  }

  // ── What saving asks of the world ────────────────────────────────────

  readonly open: SavingPort['open'] = async () => {
    try {
      return await call('note.open', { place: this.place });
    } catch (reason) {
      const error = asApiError(reason);
      if (error.kind !== 'notFound') throw error;
      await this.#seek();
      throw error;
    }
  };

  /** Where nothing is any more: a file that was moved is shown where it went, unless text of it waits to be saved. */
  async #seek(): Promise<void> {
    const fileId = this.opened?.file?.id;
    if (fileId === undefined || this.unsaved) return;
    const there = await call('file.whereabouts', { fileId }).catch(() => null);
    if (there !== null && !samePlace(there, this.place)) workspace.follow(this.place, there);
  }
  readonly create: SavingPort['create'] = (text) => call('note.create', { ...this.place, text });
  readonly later: SavingPort['later'] = (run, ms) => {
    let cancelled = false;
    const timer = setTimeout(() => {
      // What an input method has not put together yet is nobody's text: it is not saved.
      if (!this.#views.some(({ composing }) => composing)) run();
      else void this.quiet().then(() => cancelled || run());
    }, ms);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  };
  readonly quiet: SavingPort['quiet'] = () => {
    const view = this.#views.find(({ composing }) => composing);
    if (!view) return Promise.resolve();
    return new Promise((resolve) => {
      // One turn later the editor has read the composed text.
      const ended = () => setTimeout(resolve);
      view.contentDOM.addEventListener('compositionend', ended, { once: true });
      view.contentDOM.addEventListener('blur', ended, { once: true });
    });
  };

  saveEdits: SavingPort['save'] = async (base, edits) => {
    const saved = await call('note.save', { place: this.place, base, edits, keep: false });
    this.#owed = true;
    return saved;
  };

  reload(changes: ChangeSet, opened: OpenNote, undoable: boolean): void {
    const readOnly = opened.readOnly !== null;
    const before = this.opened !== undefined && this.opened.readOnly !== null;
    this.opened = opened;
    this.dispatch({
      changes,
      annotations: [
        fromDisk.of(true),
        Transaction.addToHistory.of(undoable),
        // One undo takes it back, and nothing that was typed just before with it.
        ...(undoable ? [isolateHistory.of('full')] : []),
      ],
    });
    // A second transaction before the editor has measured would lose the line that stands at the top.
    if (readOnly !== before) for (const view of this.#views) setReadOnly(view, readOnly);
  }

  changed(state: SavingState): void {
    this.state = state;
    const unsaved = this.#saving?.unsaved ?? false;
    if (this.unsaved && !unsaved) {
      dropDraft(localStorage, this.place);
      this.restoredAt = undefined;
      this.kept = true;
    }
    this.unsaved = unsaved;
  }

  // ─────────────────────────────────────────────────────────────────────

  private begin(opened: OpenNote): void {
    this.dispose();
    this.opened = opened;
    this.unsaved = false;
    this.kept = true;
    this.state = { phase: 'saved' };
    const saving = new Saving(
      {
        save: this.saveEdits,
        open: this.open,
        create: this.create,
        quiet: this.quiet,
        later: this.later,
        reload: (...told) => this.reload(...told),
        changed: (state) => this.changed(state),
      },
      opened,
    );
    this.#saving = saving;
    this.#owed = false;
    const doc = textOf(opened.text);
    this.#rest = EditorState.create({
      doc,
      selection: { anchor: bodyStart(doc) },
      extensions: this.extensions(opened),
    });
    for (const view of this.#views) view.setState(this.#rest);
    this.#leave = [
      workspace.registerDocument(this.place, { unsaved: () => this.unsaved, save: () => this.save() }),
      events.listen((event) => {
        if (event.type === 'resync') saving.diskChanged();
        else if (event.type === 'fileChanged' && samePlace(event.place, this.place)) saving.diskChanged(event.hash);
      }),
      onPage('pagehide', () => this.writeDraft()),
      onPage('visibilitychange', () => {
        if (document.visibilityState === 'hidden') {
          this.writeDraft();
          void this.save();
        }
      }),
    ];
    if (opened.readOnly === null) this.restoreDraft(opened, saving);
  }

  private extensions(opened: OpenNote) {
    return noteExtensions({
      port: this.links,
      phrases: editorPhrases(),
      label: t('note.editor', { title: this.title }),
      markdown: opened.file?.kind !== 'text' && !/\.txt$/i.test(opened.place.path),
      readOnly: opened.readOnly !== null,
      spellcheck: app.settings?.spellcheck ?? false,
      changed: (update) => this.updated(update),
    });
  }

  private updated(update: ViewUpdate): void {
    for (const transaction of update.transactions) {
      if (!transaction.docChanged || transaction.annotation(echo) === true) continue;
      for (const other of this.#views) {
        if (other === update.view) continue;
        other.dispatch({
          changes: transaction.changes,
          annotations: [echo.of(true), Transaction.addToHistory.of(false)],
        });
      }
      if (transaction.annotation(fromDisk) !== true) this.edited(transaction.changes);
    }
    if (update.docChanged || update.selectionSet) this.revision += 1;
    if (!update.focusChanged) return;
    if (update.view.hasFocus) this.#views = [...this.#views.filter((other) => other !== update.view), update.view];
    else void this.save();
  }

  private edited(changes: ChangeSet): void {
    this.#saving?.edited(changes);
    this.unsaved = this.#saving?.unsaved ?? false;
    clearTimeout(this.#draftTimer);
    const long = (this.editor?.doc.length ?? 0) > LONG;
    this.#draftTimer = setTimeout(() => this.writeDraft(), long ? LONG_DRAFT_MS : DRAFT_MS);
  }

  private dispatch(spec: TransactionSpec): void {
    const view = this.#views.at(-1);
    if (view) view.dispatch(spec);
    else if (this.#rest) {
      const transaction = this.#rest.update(spec);
      this.#rest = transaction.state;
      // With no view nobody hears of it.
      if (transaction.docChanged && transaction.annotation(fromDisk) !== true) this.edited(transaction.changes);
      this.revision += 1;
    }
  }

  private writeDraft(): void {
    clearTimeout(this.#draftTimer);
    if (!this.#saving?.unsaved) return;
    this.kept = keepDraft(localStorage, this.place, {
      base: this.#saving.baseHash,
      text: this.#saving.text.toString(),
      at: Date.now(),
    });
  }

  private restoreDraft(opened: OpenNote, saving: Saving): void {
    const draft = readDraft(localStorage, this.place);
    if (!draft) return;
    const mine = textOf(draft.text);
    if (mine.eq(textOf(opened.text))) {
      dropDraft(localStorage, this.place);
      return;
    }
    if (draft.base === opened.base) {
      this.restoredAt = draft.at;
      this.take(draft.text);
      return;
    }
    // The file went on without this text: the user decides.
    this.dispatch({ changes: changesBetween(textOf(opened.text), mine), annotations: fromDisk.of(true) });
    saving.meet(opened, mine);
    this.unsaved = true;
  }
}

/** Where writing starts: after the front matter, which is shown as chips until somebody goes there. */
function bodyStart(doc: Text): number {
  if (doc.line(1).text.trimEnd() !== '---') return 0;
  for (let number = 2; number < Math.min(doc.lines, 100); number++) {
    if (/^(---|\.\.\.)\s*$/.test(doc.line(number).text)) return doc.line(number + 1).from;
  }
  return 0;
}

function onPage(event: 'pagehide' | 'visibilitychange', run: () => void): () => void {
  const target = event === 'pagehide' ? window : document;
  target.addEventListener(event, run);
  return () => target.removeEventListener(event, run);
}

/** Notes that stay open behind their tabs, so that switching back is instant and undo survives. */
const KEPT = 16;
const documents = new Map<string, NoteDocument>();

/** The document of a place; the same one for every view of it. */
export function documentAt(place: FilePlace): NoteDocument {
  const key = placeKey(place);
  const known = documents.get(key);
  if (known) {
    documents.delete(key);
    documents.set(key, known);
    // What could not be opened before may be there by now.
    if (known.failure) void known.load();
    return known;
  }
  const fresh = new NoteDocument(place);
  documents.set(key, fresh);
  void fresh.load();
  for (const [other, document] of documents) {
    if (documents.size <= KEPT) break;
    if (!document.idle || document === fresh) continue;
    document.dispose();
    documents.delete(other);
  }
  return fresh;
}
