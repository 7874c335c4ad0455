import { SvelteMap, SvelteSet } from 'svelte/reactivity';

import type { ApiError } from '../../api/client';
import type { FilePlace, KnowledgeBase, TreeEntry } from '../../api/generated/commands';
import { folderOf, placeKey } from '../../state/place';
import { queries, type Query, type QueryCache } from '../../state/query.svelte';
import { field, recall, remember } from '../../state/storage';

export interface Row {
  /** Unique among the rows. */
  key: string;
  kind: 'base' | 'folder' | 'file' | 'loading' | 'empty' | 'error' | 'new';
  /** 0 for a knowledge base. */
  depth: number;
  kbId: number;
  path: string;
  name: string;
  open: boolean;
  entry?: TreeEntry;
  base?: KnowledgeBase;
  error?: ApiError;
}

/** The row in which the name of something new is typed. */
export interface Creating {
  kbId: number;
  folder: string;
  what: 'note' | 'folder';
}

type Listing = Query<'file.list'>;

/**
 * The knowledge bases as one list of rows. Only open folders are asked for, and their listings stay fresh through
 * the query cache. `cursor` is the row that the keys act on; it is a key and so survives changes around it.
 */
export class Tree {
  cursor = $state<string>();
  creating = $state.raw<Creating>();
  /** Key of the row whose name is being changed. */
  renaming = $state<string>();
  /** Open folders, by place; and knowledge bases that are folded, since they start open. */
  readonly #open = new SvelteSet<string>();
  readonly #folded = new SvelteSet<number>();
  readonly #listings = new SvelteMap<string, Listing>();
  readonly #bases: () => readonly KnowledgeBase[];
  readonly #cache: QueryCache;

  constructor(bases: () => readonly KnowledgeBase[], cache: QueryCache = queries) {
    this.#bases = bases;
    this.#cache = cache;
    const saved = recall('tree');
    const open = field(saved, 'open');
    const folded = field(saved, 'folded');
    if (Array.isArray(open)) for (const key of open) if (typeof key === 'string') this.#open.add(key);
    if (Array.isArray(folded)) for (const id of folded) if (typeof id === 'number') this.#folded.add(id);
  }

  readonly rows = $derived.by(() => {
    const rows: Row[] = [];
    for (const base of this.#bases()) {
      const open = !this.#folded.has(base.id);
      rows.push({ key: placeKey({ kbId: base.id, path: '' }), kind: 'base', depth: 0, kbId: base.id, path: '', name: base.name, open, base });
      if (open && !base.offline) this.#fill(rows, base.id, '', 1);
    }
    return rows;
  });

  readonly cursorIndex = $derived.by(() => {
    const at = this.rows.findIndex((row) => row.key === this.cursor);
    // A row that went, such as the one that said a folder is being listed, leaves the cursor where it was.
    if (at >= 0) this.#lastIndex = at;
    return Math.min(this.#lastIndex, this.rows.length - 1);
  });
  #lastIndex = 0;

  #fill(rows: Row[], kbId: number, folder: string, depth: number): void {
    const creating = this.creating;
    if (creating !== undefined && creating.kbId === kbId && creating.folder === folder) {
      rows.push({ key: 'new', kind: 'new', depth, kbId, path: folder, name: '', open: false });
    }
    const listing = this.#listings.get(placeKey({ kbId, path: folder }));
    const entries = listing?.data;
    if (entries === undefined) {
      const error = listing?.error;
      const key = `${kbId}:${folder}/?`;
      if (error !== undefined) rows.push({ key, kind: 'error', depth, kbId, path: folder, name: '', open: false, error });
      else rows.push({ key, kind: 'loading', depth, kbId, path: folder, name: '', open: false });
      return;
    }
    if (entries.length === 0 && folder !== '') {
      rows.push({ key: `${kbId}:${folder}/?`, kind: 'empty', depth, kbId, path: folder, name: '', open: false });
    }
    for (const entry of entries) {
      const key = placeKey(entry);
      const open = entry.folder && this.#open.has(key);
      rows.push({ key, kind: entry.folder ? 'folder' : 'file', depth, kbId, path: entry.path, name: entry.name, open, entry });
      if (open) this.#fill(rows, kbId, entry.path, depth + 1);
    }
  }

  /** Keeps the listings of what is open, and lets go of the others. Call it in an effect. */
  follow(): void {
    const wanted = new Set<string>();
    for (const base of this.#bases()) {
      if (base.offline || this.#folded.has(base.id)) continue;
      this.#want(wanted, base.id, '');
      for (const key of this.#open) {
        if (key.startsWith(`${base.id}:`)) this.#want(wanted, base.id, key.slice(key.indexOf(':') + 1));
      }
    }
    for (const [key, listing] of this.#listings) {
      if (wanted.has(key)) continue;
      this.#listings.delete(key);
      this.#cache.release(listing);
    }
  }

  #want(wanted: Set<string>, kbId: number, path: string): void {
    // A folder inside a folded one is not shown, and so not asked for.
    for (let folder = path; folder !== ''; folder = folderOf(folder)) {
      if (!this.#open.has(placeKey({ kbId, path: folder }))) return;
    }
    const key = placeKey({ kbId, path });
    wanted.add(key);
    if (!this.#listings.has(key)) this.#listings.set(key, this.#cache.open('file.list', { kbId, path }));
  }

  release(): void {
    for (const listing of this.#listings.values()) this.#cache.release(listing);
    this.#listings.clear();
  }

  setOpen(row: Row, open: boolean): void {
    if (row.kind === 'base') {
      if (open) this.#folded.delete(row.kbId);
      else this.#folded.add(row.kbId);
    } else if (row.kind === 'folder') {
      if (open) this.#open.add(row.key);
      else this.#open.delete(row.key);
    }
    this.#save();
  }

  /** Opens the folders above a place, so that its row is there once they are listed. */
  openTo(place: FilePlace): void {
    this.#folded.delete(place.kbId);
    for (let folder = folderOf(place.path); folder !== ''; folder = folderOf(folder)) {
      this.#open.add(placeKey({ kbId: place.kbId, path: folder }));
    }
    this.#save();
  }

  /** Starts naming something new beside or in the row at the cursor. */
  create(what: Creating['what']): void {
    const row = this.rows[this.cursorIndex];
    const base = row?.kbId ?? this.#bases().find((candidate) => !candidate.offline)?.id;
    if (base === undefined) return;
    const folder = row === undefined ? '' : row.kind === 'file' ? folderOf(row.path) : row.path;
    this.#folded.delete(base);
    if (folder !== '') this.#open.add(placeKey({ kbId: base, path: folder }));
    this.creating = { kbId: base, folder, what };
    this.cursor = 'new';
  }

  /** Moves the cursor as a key asks. True: the key meant something. */
  press(key: string, page: number): boolean {
    const rows = this.rows;
    const at = this.cursorIndex;
    const row = rows[at];
    if (row === undefined) return false;
    switch (key) {
      case 'ArrowDown':
        return this.#moveTo(at + 1);
      case 'ArrowUp':
        return this.#moveTo(at - 1);
      case 'PageDown':
        return this.#moveTo(at + page);
      case 'PageUp':
        return this.#moveTo(at - page);
      case 'Home':
        return this.#moveTo(0);
      case 'End':
        return this.#moveTo(rows.length - 1);
      case 'ArrowRight':
        if ((row.kind === 'folder' || row.kind === 'base') && !row.open) this.setOpen(row, true);
        else if (row.open) this.#moveTo(at + 1);
        return true;
      case 'ArrowLeft':
        if (row.open) this.setOpen(row, false);
        else this.#moveTo(this.#parentOf(at));
        return true;
      default:
        return false;
    }
  }

  #moveTo(index: number): boolean {
    this.#lastIndex = Math.max(0, Math.min(this.rows.length - 1, index));
    const row = this.rows[this.#lastIndex];
    if (row !== undefined) this.cursor = row.key;
    return true;
  }

  #parentOf(at: number): number {
    const depth = this.rows[at]?.depth ?? 0;
    for (let index = at - 1; index >= 0; index -= 1) {
      if ((this.rows[index]?.depth ?? 0) < depth) return index;
    }
    return at;
  }

  #typed = '';
  #typedAt = 0;

  /** Letters jump to the next row whose name starts with them; the same letter again goes on. */
  typeAhead(letter: string, at: number): boolean {
    const goesOn = at - this.#typedAt < 800;
    const same = goesOn && this.#typed === letter;
    this.#typed = goesOn && !same ? this.#typed + letter : letter;
    this.#typedAt = at;
    const wanted = this.#typed.toLocaleLowerCase();
    const rows = this.rows;
    const start = this.cursorIndex + (this.#typed.length === 1 ? 1 : 0);
    for (let n = 0; n < rows.length; n += 1) {
      const row = rows[(start + n) % rows.length];
      if (row !== undefined && row.name.toLocaleLowerCase().startsWith(wanted)) {
        this.cursor = row.key;
        return true;
      }
    }
    return false;
  }

  #save(): void {
    remember('tree', { open: [...this.#open].slice(-500), folded: [...this.#folded] });
  }
}
