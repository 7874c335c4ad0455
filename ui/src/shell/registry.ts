import type { Component } from 'svelte';

import type { IconName } from '../kit/icons';
import { laterMessages, type PlainKey } from '../messages/index.svelte';
import type { CommandId } from '../state/commands.svelte';
import type { LeftTab } from '../state/layout.svelte';
import type { Region } from '../state/regions';
import type { TabContent } from '../state/tab.svelte';

/**
 * Where features are placed. They are found by file name, so that a feature that is not there is simply absent, and
 * loaded when they are first shown, so that the first paint does not wait for them.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- components of one place differ in their props
type Load = () => Promise<{ default: Component<any> }>;

const found = {
  ...import.meta.glob('../features/*/View.svelte'),
  ...import.meta.glob('../features/*/{Filters,ScanProgress,Navigation,ChangesList,Outline,Links,Versions}.svelte'),
} as Record<string, Load>;

function feature(path: string): Load | undefined {
  const load = found[`../features/${path}.svelte`];
  if (load === undefined || !/^(documents|history|review|search|settings)\//.test(path)) return load;
  // What these say comes with them.
  return () => Promise.all([load(), laterMessages()]).then(([view]) => view);
}

const VIEWS: Record<TabContent['kind'], Load | undefined> = {
  note: feature('notes/View'),
  document: feature('documents/View'),
  review: feature('review/View'),
  history: feature('history/View'),
  search: feature('search/View'),
  settings: feature('settings/View'),
};

export function viewOf(content: TabContent): Load | undefined {
  return VIEWS[content.kind];
}

/** Loads what is likely to be opened next while nothing else is to be done, so that it opens at once. */
export function loadAhead(): void {
  const load = () => {
    for (const one of [VIEWS.note, VIEWS.search, VIEWS.review]) one?.().catch(() => undefined);
  };
  // Safari and WebKitGTK know no idle time.
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 1000);
}

export const welcomeView = feature('welcome/View');
/** Long work, at the foot of the left pane. */
export const progress = feature('library/ScanProgress');
/** The one modal, always mounted. */
export const palette = feature('palette/View');
export const settingsNavigation = feature('settings/Navigation');

interface Side<V extends string> {
  value: V;
  label: PlainKey;
  icon: IconName;
  command: CommandId;
  load: Load;
}

function present<V extends string>(side: Omit<Side<V>, 'load'>, load: Load | undefined): Side<V>[] {
  return load === undefined ? [] : [{ ...side, load }];
}

export const leftSides: Side<LeftTab>[] = [
  ...present({ value: 'files', label: 'left.files', icon: 'folder', command: 'pane.files' }, feature('library/View')),
  ...present({ value: 'search', label: 'left.search', icon: 'search', command: 'go.search' }, feature('search/Filters')),
  ...present({ value: 'changes', label: 'left.changes', icon: 'diff', command: 'pane.changes' }, feature('review/ChangesList')),
];

interface RightSide extends Side<string> {
  /** Where the focus goes in it, unless it says otherwise itself. */
  start: Region;
}

function right(load: Load | undefined, side: Omit<RightSide, 'load'>): RightSide[] {
  return load === undefined ? [] : [{ ...side, load }];
}

export const rightSides: RightSide[] = [
  ...right(feature('assistant/View'), { value: 'assistant', label: 'right.assistant', icon: 'chat', command: 'pane.assistant', start: 'composer' }),
  ...right(feature('notes/Outline'), { value: 'outline', label: 'right.outline', icon: 'list', command: 'pane.outline', start: 'rightBody' }),
  ...right(feature('notes/Links'), { value: 'links', label: 'right.links', icon: 'link', command: 'pane.links', start: 'rightBody' }),
  ...right(feature('history/Versions'), { value: 'versions', label: 'right.versions', icon: 'clock', command: 'pane.versions', start: 'rightBody' }),
];
