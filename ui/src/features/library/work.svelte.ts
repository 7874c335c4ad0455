import { asApiError, call, type ApiError } from '../../api/client';
import type { Applied, FilePlace, FilesWeighed } from '../../api/generated/commands';
import { live } from '../../kit/live.svelte';
import { describeError, t } from '../../messages/index.svelte';
import { undoChanges } from '../../state/changes';
import { folderOf, join, nameOf, placeAfter, samePlace, stemOf } from '../../state/place';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';

/** What somebody wants to do with a file or folder, and what it would touch. */
export interface Asked {
  what: 'rename' | 'move' | 'delete';
  place: FilePlace;
  folder: boolean;
  /** Where a rename or move leads. */
  to?: FilePlace;
  weight: FilesWeighed;
}

type Subject = { place: FilePlace; folder: boolean };

/** Renaming, moving and deleting in the tree: first it is said what would be touched, and afterwards it can be undone. */
export class TreeWork {
  /** Waits for a yes. */
  asked = $state.raw<Asked>();
  error = $state.raw<ApiError>();
  /** Where the last one went. */
  went = $state.raw<FilePlace>();

  /**
   * The new name of a file or folder; a note keeps its extension when none is given. `taken`: whether something else is
   * seen at a path, which is said where the name is written. True: it is done or asked.
   */
  async rename({ place, folder }: Subject, name: string, taken: (path: string) => boolean = () => false): Promise<boolean> {
    const wanted = name.trim();
    if (wanted === '') return true;
    const note = !folder && stemOf(place.path) !== nameOf(place.path);
    const full = note && stemOf(wanted) === wanted ? wanted + extensionOf(place.path) : wanted;
    if (full === nameOf(place.path)) return true;
    if (/[/\\]/.test(full)) {
      this.error = asApiError({ kind: 'invalid', code: 'badPath', message: 'a name has no slash', detail: {} });
      return false;
    }
    const path = join(folderOf(place.path), full);
    if (taken(path)) {
      this.error = asApiError({ kind: 'conflict', code: 'exists', message: 'the name is taken', detail: { path: full } });
      return false;
    }
    return this.#weigh({ what: 'rename', place, folder, to: { kbId: place.kbId, path } });
  }

  /** Into a folder; empty for the top of a knowledge base. */
  async move({ place, folder }: Subject, into: FilePlace): Promise<boolean> {
    const to = { kbId: into.kbId, path: join(into.path, nameOf(place.path)) };
    if (samePlace(to, place)) return true;
    return this.#weigh({ what: 'move', place, folder, to });
  }

  async remove({ place, folder }: Subject): Promise<boolean> {
    return this.#weigh({ what: 'delete', place, folder });
  }

  /** Does what was asked. `links`: other notes follow a rename or move. */
  async confirm(links: boolean): Promise<void> {
    const asked = this.asked;
    // Enter twice is one answer.
    if (asked === undefined || asked === this.confirming) return;
    this.confirming = asked;
    const done = await this.#do(asked, links);
    this.confirming = undefined;
    if (done && this.asked === asked) this.asked = undefined;
  }

  cancel(): void {
    this.asked = undefined;
    this.error = undefined;
  }

  async #weigh(wanted: Omit<Asked, 'weight'>): Promise<boolean> {
    this.error = undefined;
    try {
      const weight = await call('file.weigh', { places: [wanted.place] });
      const asked: Asked = { ...wanted, weight };
      // What concerns nothing but the file itself needs no question; it can be undone.
      if (asked.what !== 'delete' && weight.linkingNotes === 0 && (asked.what === 'rename' || !asked.folder)) return await this.#do(asked, false);
      this.asked = asked;
      return true;
    } catch (reason) {
      this.error = asApiError(reason);
      return false;
    }
  }

  /** The question whose answer is being carried out. */
  confirming = $state.raw<Asked>();
  #turn: Promise<unknown> = Promise.resolve();

  /** One after the other: what is asked for while something else is under way is not lost. */
  #do(asked: Asked, links: boolean): Promise<boolean> {
    const turn = this.#turn.then(() => this.#perform(asked, links));
    this.#turn = turn;
    return turn;
  }

  async #perform({ what, place, to }: Asked, links: boolean): Promise<boolean> {
    this.error = undefined;
    try {
      // Text that is being written goes into the file while it is still where it was.
      await workspace.saveAll();
      let done: Applied;
      if (what === 'delete') done = await call('file.trash', { places: [place] });
      else if (to !== undefined) done = await call('file.move', { from: place, to, links });
      else return true;
      if (done.applied.length === 0) {
        this.error = asApiError({ kind: 'conflict', code: 'conflict', message: 'nothing was done', detail: {} });
        return false;
      }
      if (what === 'delete') await workspace.leave(place);
      else if (to !== undefined) {
        workspace.follow(place, to);
        this.went = to;
      }
      this.#tell(what, place, to, done);
      return true;
    } catch (reason) {
      this.error = asApiError(reason);
      return false;
    }
  }

  #tell(what: Asked['what'], place: FilePlace, to: FilePlace | undefined, done: Applied): void {
    const name = stemOf(place.path);
    const text =
      what === 'delete'
        ? t('library.deleted', { name })
        : what === 'rename'
          ? t('library.renamed', { name: stemOf(to?.path ?? '') })
          : t('library.moved', { name, folder: folderOf(to?.path ?? '') });
    live.say(text);
    toasts.show(text, { action: { label: t('review.undo'), run: () => void undoChanges(done.changeSetId) } });
    // Links that could not follow are left as they were, and wait in the set.
    const left = done.conflicts.length + done.failed.length;
    if (left > 0) toasts.show(t('library.linksLeft', { count: left }), { tone: 'danger', action: { label: t('assistant.changes.review'), run: () => void workspace.openReview(done.changeSetId) } });
  }
}

/** Whether a folder may go into another: not into itself, nor into what it holds. */
export function canEnter(place: FilePlace, into: FilePlace): boolean {
  return placeAfter(into, place, place) === undefined;
}

function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

export function sayError(error: ApiError): void {
  toasts.show(describeError(error), { tone: 'danger' });
}
