import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  searchKeymap,
  selectNextOccurrence,
  setSearchQuery,
} from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap, type Command, type Panel, type ViewUpdate } from '@codemirror/view';

/** Counting stops here: a panel that says "1000+" is enough, and typing stays fluid. */
const COUNT_LIMIT = 1000;

export { findNext, findPrevious, openSearchPanel as openFind, selectNextOccurrence };

/** Opens find with the replacement line shown. */
export const openReplace: Command = (view) => {
  openSearchPanel(view);
  const panel = view.dom.querySelector<HTMLElement>('.cm-find');
  panel?.classList.add('cm-find-replacing');
  panel?.querySelector<HTMLInputElement>('[name=replace]')?.focus();
  return true;
};

/** Takes words as what is looked for, any of them. */
export function lookFor(view: EditorView, words: readonly string[]): void {
  const regexp = words.length > 1;
  const search = regexp ? words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|') : (words[0] ?? '');
  view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search, literal: !regexp, regexp })) });
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  label: string,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.setAttribute('aria-label', label);
  made.title = label;
  return made;
}

function button(className: string, label: string, text: string, run: () => void): HTMLButtonElement {
  const made = element('button', className, label);
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', run);
  return made;
}

function createPanel(view: EditorView): Panel {
  const say = (phrase: string) => view.state.phrase(phrase);
  const dom = document.createElement('div');
  dom.className = 'cm-find';
  dom.setAttribute('role', 'search');
  dom.setAttribute('aria-label', say('Find'));

  const field = element('input', 'cm-find-field', say('Find'));
  field.name = 'search';
  field.placeholder = say('Find');
  field.setAttribute('main-field', 'true');
  const replacement = element('input', 'cm-find-field', say('Replace'));
  replacement.name = 'replace';
  replacement.placeholder = say('Replace');
  const count = document.createElement('span');
  count.className = 'cm-find-count';
  count.setAttribute('aria-live', 'polite');

  const { caseSensitive, wholeWord, regexp } = getSearchQuery(view.state);
  const toggles = { caseSensitive, wholeWord, regexp };
  const commit = () => {
    const query = new SearchQuery({
      search: field.value,
      replace: replacement.value,
      literal: !toggles.regexp,
      ...toggles,
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  };
  const option = (name: keyof typeof toggles, label: string, text: string) => {
    const made = button('cm-find-option', label, text, () => {
      toggles[name] = !toggles[name];
      made.setAttribute('aria-pressed', String(toggles[name]));
      commit();
    });
    made.setAttribute('aria-pressed', String(toggles[name]));
    return made;
  };

  const replaceToggle = button('cm-find-button', say('Show replace'), '⇄', () => {
    dom.classList.toggle('cm-find-replacing');
  });
  const top = document.createElement('div');
  top.className = 'cm-find-row';
  top.append(
    field,
    count,
    option('caseSensitive', say('Match case'), 'Aa'),
    option('wholeWord', say('Whole words'), 'W'),
    option('regexp', say('Regular expression'), '.*'),
    button('cm-find-button', say('Previous match'), '↑', () => findPrevious(view)),
    button('cm-find-button', say('Next match'), '↓', () => findNext(view)),
    replaceToggle,
    button('cm-find-button', say('Close'), '✕', () => {
      closeSearchPanel(view);
      view.focus();
    }),
  );
  replaceToggle.hidden = view.state.readOnly;
  const bottom = document.createElement('div');
  bottom.className = 'cm-find-row cm-find-replace';
  bottom.append(
    replacement,
    button('cm-find-text', say('Replace'), say('Replace'), () => replaceNext(view)),
    button('cm-find-text', say('Replace all'), say('Replace all'), () => replaceAll(view)),
  );
  dom.append(top, bottom);

  field.addEventListener('input', commit);
  replacement.addEventListener('input', commit);
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    const search = keymapRun(event, view);
    if (search) {
      event.preventDefault();
      return;
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (event.target === replacement) replaceNext(view);
    else if (event.target === field) (event.shiftKey ? findPrevious : findNext)(view);
    else (event.target as HTMLElement).click();
  });

  const show = () => {
    const query = getSearchQuery(view.state);
    if (!query.search || !query.valid) {
      count.textContent = query.search ? say('Not a pattern') : '';
      return;
    }
    const cursor = query.getCursor(view.state);
    const { main } = view.state.selection;
    let total = 0;
    let current = 0;
    for (let next = cursor.next(); !next.done && total < COUNT_LIMIT; next = cursor.next()) {
      total++;
      if (next.value.from === main.from && next.value.to === main.to) current = total;
    }
    count.textContent =
      total === 0 ? say('No match') : `${current || '–'} / ${total}${total >= COUNT_LIMIT ? '+' : ''}`;
  };
  return {
    dom,
    top: true,
    mount: () => {
      const query = getSearchQuery(view.state);
      field.value = query.search;
      replacement.value = query.replace;
      field.select();
      show();
    },
    update(update: ViewUpdate) {
      for (const transaction of update.transactions) {
        for (const effect of transaction.effects) {
          if (effect.is(setSearchQuery) && effect.value.search !== field.value) field.value = effect.value.search;
        }
      }
      if (update.docChanged || update.selectionSet || update.transactions.length) show();
    },
  };
}

function keymapRun(event: KeyboardEvent, view: EditorView): boolean {
  if (event.key === 'Escape') {
    closeSearchPanel(view);
    view.focus();
    return true;
  }
  if (event.key === 'F3') return (event.shiftKey ? findPrevious : findNext)(view);
  return false;
}

/** Find and replace in a panel of our own. */
export const findPanel: Extension = [
  // What is found must not hide under the panel.
  EditorView.scrollMargins.of((view) => ({
    top: view.dom.querySelector<HTMLElement>('.cm-panels-top')?.offsetHeight ?? 0,
  })),
  search({ top: true, createPanel }),
  keymap.of(searchKeymap.filter(({ key }) => key === 'Escape' || key === 'Mod-Shift-l')),
];
