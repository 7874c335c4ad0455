import type { EditorView } from '@codemirror/view';
import { WidgetType } from '@codemirror/view';
import { notePort, type WrittenLink } from './note-port';
import { isOutside } from './address';

/** A task's box. Clicking it writes the sign into the text. */
export class TaskBox extends WidgetType {
  constructor(readonly done: boolean) {
    super();
  }

  override eq(other: TaskBox): boolean {
    return other.done === this.done;
  }

  override toDOM(view: EditorView): HTMLElement {
    const holder = document.createElement('span');
    holder.className = 'cm-task';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.done;
    box.tabIndex = -1;
    box.setAttribute('aria-label', view.state.phrase('Done'));
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      if (view.state.readOnly) return;
      toggleAt(view, view.posAtDOM(holder));
    });
    holder.append(box);
    return holder;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function toggleAt(view: EditorView, position: number): void {
  const line = view.state.doc.lineAt(position);
  const sign = /\[([ xX])\]/.exec(line.text);
  if (!sign) return;
  const at = line.from + sign.index + 1;
  view.dispatch({
    changes: { from: at, to: at + 1, insert: sign[1] === ' ' ? 'x' : ' ' },
    userEvent: 'input.task',
  });
}

/** An image of the knowledge base. Anything outside is named, never fetched. */
export class Picture extends WidgetType {
  constructor(
    readonly link: WrittenLink,
    readonly description: string,
  ) {
    super();
  }

  override eq(other: Picture): boolean {
    return other.link.target === this.link.target && other.description === this.description;
  }

  override get estimatedHeight(): number {
    return isOutside(this.link.target) ? -1 : 160;
  }

  override toDOM(view: EditorView): HTMLElement {
    if (isOutside(this.link.target)) {
      return chip(view.state.phrase('Image elsewhere'), this.link.target);
    }
    // What is put in the picture's place must stay inside: the editor takes a change of its own elements for typing.
    const holder = document.createElement('span');
    const image = document.createElement('img');
    image.className = 'cm-picture cm-picture-waiting';
    image.alt = this.description;
    image.addEventListener('load', () => {
      image.classList.remove('cm-picture-waiting');
      view.requestMeasure();
    });
    const missing = () => {
      image.replaceWith(chip(view.state.phrase('Image not found'), this.link.target));
      view.requestMeasure();
    };
    image.addEventListener('error', missing);
    void view.state
      .facet(notePort)
      .imageUrl(this.link)
      .then((url) => {
        if (url) image.src = url;
        else missing();
      }, missing);
    holder.append(image);
    return holder;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** A quiet chip with the whole of what it names. */
function chip(label: string, detail: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'cm-chip';
  const name = document.createElement('span');
  name.textContent = label;
  const value = document.createElement('span');
  value.className = 'cm-chip-detail';
  value.textContent = detail;
  element.append(name, value);
  return element;
}

/** Front matter as chips: tags and the date; the rest is one click away. */
export class Properties extends WidgetType {
  constructor(readonly source: string) {
    super();
  }

  override eq(other: Properties): boolean {
    return other.source === this.source;
  }

  override toDOM(view: EditorView): HTMLElement {
    const row = document.createElement('div');
    row.className = 'cm-properties';
    const entries = propertyChips(this.source);
    for (const entry of entries) {
      const element = document.createElement('span');
      element.className = 'cm-chip';
      element.textContent = entry;
      row.append(element);
    }
    const edit = document.createElement('button');
    edit.type = 'button';
    edit.className = 'cm-chip cm-chip-quiet';
    edit.tabIndex = -1;
    edit.textContent = view.state.phrase(entries.length ? 'Edit properties' : 'Properties');
    row.append(edit);
    row.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const start = view.state.doc.line(Math.min(2, view.state.doc.lines)).from;
      view.dispatch({ selection: { anchor: start }, userEvent: 'select.pointer' });
      view.focus();
    });
    return row;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Tags and dates worth showing above a note; everything else stays in the source. */
export function propertyChips(source: string): string[] {
  const chips: string[] = [];
  let list = false;
  for (const line of source.split('\n')) {
    const item = /^\s*-\s+(.+)$/.exec(line);
    if (list && item?.[1]) {
      chips.push(`#${unquote(item[1]).replace(/^#/, '')}`);
      continue;
    }
    list = false;
    const entry = /^([\w-]+)\s*:\s*(.*)$/.exec(line);
    const key = entry?.[1]?.toLowerCase();
    const value = entry?.[2]?.trim() ?? '';
    if (key === 'tags' || key === 'tag') {
      list = value === '';
      for (const tag of value.replace(/^\[|\]$/g, '').split(/[,，]\s*|\s+/)) {
        const name = unquote(tag).replace(/^#/, '');
        if (name) chips.push(`#${name}`);
      }
    } else if (key === 'date' || key === 'created') {
      if (value) chips.push(unquote(value));
    }
  }
  return chips;
}

function unquote(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}
