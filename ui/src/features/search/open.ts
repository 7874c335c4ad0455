import type { FilePlace } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';
import { calledOf } from '../../state/called';
import { commands } from '../../state/commands.svelte';
import { samePlace } from '../../state/place';
import { shownFile } from '../../state/tab.svelte';
import { toasts } from '../../state/toast.svelte';
import { workspace } from '../../state/workspace.svelte';
import { search } from './controller.svelte';
import { type Line, wordsOf } from './results';

/** The file that a hit led to. While it is in front, the next mark is the next hit. */
let led: FilePlace | undefined;
let provided = false;

/** Opens a line of the results: the passage it shows, or the first one of its file. Who only walks by sees
 *  a preview, so that one tab serves all hits. */
export function openLine(index: number, beside: boolean, preview = false): void {
  const line = search.lines[index];
  if (line === undefined) return;
  search.at = index;
  const hit = line.kind === 'passage' ? line.hit : line.group.hits[0];
  const shown =
    hit === undefined
      ? workspace.openFile(line.group.place, { beside, preview })
      : workspace.openPassage(hit, beside, wordsOf(hit), preview);
  if (!shown) {
    toasts.show(t('library.notShown', { name: calledOf(line.group.place, line.group.title) }));
    return;
  }
  led = line.group.place;
  goOn();
}

/** The hit after (1) or before (-1) a line, round the ends. */
export function hitFrom(lines: readonly Line[], from: number, step: 1 | -1): number | undefined {
  // The head of a file opens its first passage, which so was seen.
  const start = lines[from]?.kind === 'file' && lines[from + 1]?.kind === 'passage' ? from + 1 : from;
  for (let gone = 1; gone <= lines.length; gone += 1) {
    const index = (start + step * gone + lines.length * 2) % lines.length;
    if (lines[index]?.kind === 'passage') return index;
  }
  return undefined;
}

/** Lets the keys of marks walk through the hits where no search is in front any more. */
function goOn(): void {
  if (provided) return;
  provided = true;
  const inFront = () => {
    const file = workspace.tab && shownFile(workspace.tab.content);
    return led !== undefined && file !== undefined && samePlace(file, led) && search.passages > 0;
  };
  for (const [id, step] of [['mark.next', 1], ['mark.previous', -1]] as const) {
    commands.provide(
      id,
      () => {
        const next = hitFrom(search.lines, search.at, step);
        if (next !== undefined) openLine(next, false, true);
      },
      inFront,
    );
  }
}
