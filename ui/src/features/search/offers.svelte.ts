import { t } from '../../messages/index.svelte';
import { app } from '../../state/app.svelte';
import { folderOf } from '../../state/place';
import { useQuery } from '../../state/query.svelte';
import { fitting, keysFor, type Key, type Piece } from './terms';

/** What can be written next: an operator, or a value of one. */
export interface Offer {
  /** What is put in. */
  text: string;
  /** What it does; values explain themselves. */
  meaning: string;
  key: boolean;
}

const TYPES = ['markdown', 'text', 'pdf', 'word', 'powerpoint', 'excel', 'epub', 'html', 'picture', 'scan'];

function days(now: Date): string[] {
  const iso = (date: Date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
  const ago = (count: number) => iso(new Date(now.getFullYear(), now.getMonth(), now.getDate() - count));
  const today = iso(now);
  return [today, ago(7), ago(30), today.slice(0, 7), today.slice(0, 4)];
}

/** Offers for what is written at the caret. To be made by a component. */
export class Offers {
  piece = $state.raw<Piece>();
  readonly #folder = useQuery('file.find', () => (this.piece?.key === 'path' && this.piece.value !== '' ? { text: this.piece.value, limit: 50 } : null));

  readonly #tags = useQuery('tag.list', () => (this.piece?.key === 'tag' ? {} : null));

  readonly list = $derived.by((): Offer[] => {
    const { piece } = this;
    if (piece === undefined) return [];
    if (piece.key === undefined) return keysFor(piece).map((key) => ({ text: `${key}:`, meaning: t(`search.key.${key}`), key: true }));
    return fitting(this.#values(piece.key), piece.value).map((text) => ({ text, meaning: '', key: false }));
  });

  #values(key: Key): string[] {
    switch (key) {
      case 'tag':
        return (this.#tags.data ?? []).map(({ tag }) => tag);
      case 'in':
        return app.knowledgeBases.map(({ name }) => name);
      case 'type':
        return TYPES;
      case 'after':
      case 'before':
        return days(new Date());
      case 'path':
        return [...new Set((this.#folder.data ?? []).map(({ place }) => folderOf(place.path)).filter((folder) => folder !== ''))];
      default:
        return [];
    }
  }
}
