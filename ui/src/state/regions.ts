import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';

import { holdFocus, isFocusHeld } from '../kit/hold';
import { t } from '../messages/index.svelte';

/** The regions that F6 walks, in order. Each is a labelled landmark in the markup. */
export const REGIONS = [
  'leftTabs',
  'leftList',
  'middleTabs',
  'middle',
  'applyBar',
  'rightTabs',
  'rightBody',
  'composer',
  'status',
] as const;

export type Region = (typeof REGIONS)[number];

const TABBABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [contenteditable="true"], [tabindex]';

/** Frames that a region is waited for which is being loaded, and one which is there and gets its content. */
const LOADING = 600;
const FILLING = 60;

const elements = new Map<Region, HTMLElement[]>();
const remembered = new WeakMap<HTMLElement, HTMLElement>();

/** Marks an element as a region: `<div {@attach region('composer')}>`. It remembers where its focus was. */
export function region(name: Region): Attachment<HTMLElement> {
  return (element) => {
    const note = (event: FocusEvent) => {
      if (event.target instanceof HTMLElement && owns(element, event.target)) remembered.set(element, event.target);
    };
    element.dataset['region'] = name;
    element.addEventListener('focusin', note);
    elements.set(name, [...(elements.get(name) ?? []), element]);
    return () => {
      element.removeEventListener('focusin', note);
      elements.set(
        name,
        (elements.get(name) ?? []).filter((other) => other !== element),
      );
    };
  };
}

/** Regions lie inside one another: the composer in the right body. What is in the inner one is not of the outer. */
function owns(region: HTMLElement, element: Element): boolean {
  return element.closest('[data-region]') === region;
}

/**
 * Moves the focus into a region that is about to be filled: at once where it says where to start, else as soon as there
 * is a stop; until then the focus is held. Gives up when the reader goes elsewhere meanwhile; a region with nothing to
 * stop at takes the focus itself.
 */
export async function focusRegionSoon(name: Region): Promise<void> {
  const before = document.activeElement;
  await tick();
  if (document.activeElement !== before && document.activeElement !== document.body) return;
  const start = shownOf(name)?.querySelector<HTMLElement>('[data-start]');
  if (start != null && visible(start)) {
    focusRegion(name);
    return;
  }
  holdFocus(t('view.loading'), shownOf(name));
  let frames = 0;
  const attempt = () => {
    if (!isFocusHeld() || focusRegion(name)) return;
    frames += 1;
    const element = shownOf(name);
    if (frames < (element === undefined ? LOADING : FILLING)) {
      requestAnimationFrame(attempt);
    } else if (element !== undefined) {
      element.tabIndex = -1;
      element.focus();
    }
  };
  requestAnimationFrame(attempt);
}

/** Moves the focus into a region: to where it was, else to `[data-start]`, else to its first stop. */
export function focusRegion(name: Region): boolean {
  const element = shownOf(name);
  const target = element && stopIn(element);
  if (target === undefined) return false;
  target.focus();
  return true;
}

/** The next (1) or previous (-1) region that is there and can take the focus, from the one that has it. */
export function cycleRegion(step: 1 | -1): void {
  const inner = document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'];
  const here = REGIONS.findIndex((name) => name === inner);
  const start = here < 0 ? (step > 0 ? -1 : 0) : here;
  for (let n = 1; n <= REGIONS.length; n += 1) {
    const name = REGIONS[(start + step * n + REGIONS.length * 2) % REGIONS.length];
    if (name !== undefined && focusRegion(name)) return;
  }
}

function shownOf(name: Region): HTMLElement | undefined {
  const shown = (elements.get(name) ?? []).filter(visible);
  return shown.find((element) => element.dataset['current'] === 'true') ?? shown[0];
}

function stopIn(element: HTMLElement): HTMLElement | undefined {
  const last = remembered.get(element);
  if (last?.isConnected === true && element.contains(last) && visible(last)) return last;
  const start = element.querySelector<HTMLElement>('[data-start]');
  if (start !== null && visible(start) && owns(element, start)) return start;
  for (const candidate of element.querySelectorAll<HTMLElement>(TABBABLE)) {
    if (candidate.tabIndex >= 0 && visible(candidate) && owns(element, candidate)) return candidate;
  }
  return element.tabIndex >= 0 ? element : undefined;
}

function visible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
