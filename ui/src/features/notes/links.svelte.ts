import { call, theHost } from '../../api/client';
import type { FilePlace } from '../../api/generated/commands';
import type { NoteName, NotePort, WrittenLink } from '../../editor/note-port';
import { isOutside } from '../../editor/links';
import { app } from '../../state/app.svelte';
import { folderOf, stemOf } from '../../state/place';
import { workspace } from '../../state/workspace.svelte';

const NAMES_SHOWN = 20;

/** Where the links of one note lead; remembers the last one that led nowhere, so that it can be offered. */
export class NoteLinks implements NotePort {
  missing = $state.raw<{ name: string; wouldBe: FilePlace | null }>();

  constructor(readonly place: FilePlace) {}

  follow(link: WrittenLink, beside: boolean): void {
    void this.go(link, beside);
  }

  async imageUrl(link: WrittenLink): Promise<string | null> {
    if (isOutside(link.target)) return null;
    const { place } = await call('link.resolve', { from: this.place, ...link });
    return place && theHost().blobUrl(`file/${place.kbId}/${place.path}`);
  }

  async names(text: string): Promise<NoteName[]> {
    const hits = await call('file.find', { text, limit: NAMES_SHOWN });
    return hits
      .filter(({ place }) => place.kbId === this.place.kbId)
      .map(({ place, title }) => {
        const stem = stemOf(place.path);
        return { target: stem, title: stem, detail: title === stem ? folderOf(place.path) : title };
      });
  }

  async create(wouldBe: FilePlace): Promise<void> {
    this.missing = undefined;
    await call('note.create', { ...wouldBe, text: '' });
    workspace.openNote(wouldBe);
  }

  private async go(link: WrittenLink, beside: boolean): Promise<void> {
    this.missing = undefined;
    if (isOutside(link.target)) {
      // Only what a browser or a mail program takes leaves the app.
      if (/^(https?|mailto):/i.test(link.target)) app.openOutside(link.target);
      return;
    }
    if (link.target === '' && link.fragment === null) return;
    const { place, line, wouldBe } = await call('link.resolve', { from: this.place, ...link });
    if (place) workspace.openNote(place, line === null ? { beside } : { beside, line });
    else this.missing = { name: link.target, wouldBe };
  }
}
