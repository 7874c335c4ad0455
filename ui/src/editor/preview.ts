import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension, Range } from '@codemirror/state';
import { StateEffect } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { focused, touched } from './focus';
import { isPicture, outsideTitle, wholeAddress } from './address';
import { readLink } from './links';
import { notePort } from './note-port';
import { Picture, TaskBox } from './widgets';

const hidden = Decoration.replace({});
const quietMark = Decoration.mark({ class: 'cm-syntax' });
const linkText = Decoration.mark({ class: 'cm-link' });
/** Out of the app: pointing at it says where it leads. */
const leading = (title: string) => Decoration.mark({ class: 'cm-link', attributes: { title } });
const bullet = Decoration.mark({ class: 'cm-bullet' });
const number = Decoration.mark({ class: 'cm-number' });
const quoteMark = Decoration.mark({ class: 'cm-quote-mark' });
const taskDone = Decoration.mark({ class: 'cm-task-done' });
const rule = Decoration.line({ class: 'cm-rule' });
const blank = Decoration.line({ class: 'cm-blank' });
const tableLine = Decoration.line({ class: 'cm-table-line' });
const quoteLine = Decoration.line({ class: 'cm-quote' });
const codeLine = Decoration.line({ class: 'cm-code' });
const headings = [1, 2, 3, 4, 5, 6].map((level) => Decoration.line({ class: `cm-h cm-h${level}` }));
const heading = (level: number) => headings[level - 1] ?? quoteLine;

/** One pass over what is on the screen. */
class Pass {
  readonly found: Range<Decoration>[] = [];
  private readonly quoted = new Set<number>();

  constructor(readonly state: EditorState) {}

  hide(from: number, to: number): void {
    if (to > from && this.oneLine(from, to)) this.found.push(hidden.range(from, to));
  }

  /** A view plugin may not replace line breaks. */
  private oneLine(from: number, to: number): boolean {
    return to <= this.state.doc.lineAt(from).to;
  }

  mark(decoration: Decoration, from: number, to: number): void {
    if (to > from) this.found.push(decoration.range(from, to));
  }

  lines(decoration: Decoration, from: number, to: number, seen?: Set<number>): void {
    let line = this.state.doc.lineAt(from);
    for (;;) {
      if (!seen?.has(line.from)) this.found.push(decoration.range(line.from));
      seen?.add(line.from);
      if (line.to >= to || line.number >= this.state.doc.lines) return;
      line = this.state.doc.line(line.number + 1);
    }
  }

  /** Empty lines part paragraphs; they are as high as the gap should be. Inside code they are lines. */
  blanks(from: number, to: number): void {
    for (let line = this.state.doc.lineAt(from); ; line = this.state.doc.line(line.number + 1)) {
      if (line.length === 0 && !this.inCode(line.from)) this.found.push(blank.range(line.from));
      if (line.to >= to || line.number >= this.state.doc.lines) return;
    }
  }

  private inCode(position: number): boolean {
    const { name } = syntaxTree(this.state).resolve(position, 1);
    return name === 'FencedCode' || name === 'CodeText' || name === 'CodeBlock' || name === 'FrontMatter';
  }

  onTouchedLine(position: number): boolean {
    const line = this.state.doc.lineAt(position);
    return touched(this.state, line.from, line.to);
  }

  /** Whether to go into the node. */
  enter(node: SyntaxNodeRef, from: number, to: number): boolean {
    switch (node.name) {
      case 'ATXHeading1':
      case 'ATXHeading2':
      case 'ATXHeading3':
      case 'ATXHeading4':
      case 'ATXHeading5':
      case 'ATXHeading6':
        this.heading(node);
        return true;
      case 'SetextHeading1':
      case 'SetextHeading2':
        this.lines(heading(node.name === 'SetextHeading1' ? 1 : 2), node.from, node.from);
        return true;
      case 'Emphasis':
      case 'StrongEmphasis':
      case 'Strikethrough':
      case 'InlineCode':
        this.inline(node);
        return true;
      case 'Link':
        return this.link(node.node);
      case 'WikiLink':
        return this.wiki(node.node);
      case 'Image':
      case 'WikiEmbed':
        return this.picture(node.node);
      case 'Autolink':
        this.mark(this.address(node.from + 1, node.to - 1), node.from + 1, node.to - 1);
        if (!touched(this.state, node.from, node.to)) {
          this.hide(node.from, node.from + 1);
          this.hide(node.to - 1, node.to);
        }
        return false;
      case 'URL':
        this.mark(this.address(node.from, node.to), node.from, node.to);
        return false;
      case 'ListItem':
        this.item(node.node);
        return true;
      case 'Blockquote':
        this.quote(node.node, from, to);
        return true;
      case 'QuoteMark':
        this.mark(quoteMark, node.from, this.withBlank(node.to));
        return false;
      case 'FencedCode':
      case 'CodeBlock':
        this.lines(codeLine, Math.max(node.from, from), Math.min(node.to, to));
        return true;
      case 'CodeMark':
      case 'CodeInfo':
      case 'HeaderMark':
      case 'FrontMatterMark':
        this.mark(quietMark, node.from, node.to);
        return false;
      case 'Table':
        this.lines(tableLine, Math.max(node.from, from), Math.min(node.to, to));
        return true;
      case 'HorizontalRule':
        if (!this.onTouchedLine(node.from)) this.lines(rule, node.from, node.from);
        return false;
      default:
        return true;
    }
  }

  private withBlank(position: number): number {
    return /[ \t]/.test(this.state.sliceDoc(position, position + 1)) ? position + 1 : position;
  }

  private heading(node: SyntaxNodeRef): void {
    const level = Number(node.name.at(-1));
    this.lines(heading(level), node.from, node.from);
    if (this.onTouchedLine(node.from)) return;
    for (const mark of node.node.getChildren('HeaderMark')) {
      const opening = mark.from === node.from;
      // A heading with no text yet keeps its signs, or nothing would be left to see.
      if (opening && this.withBlank(mark.to) >= node.to) return;
      if (opening) this.hide(mark.from, this.withBlank(mark.to));
      else this.hide(mark.from - 1, mark.to);
    }
  }

  private inline(node: SyntaxNodeRef): void {
    if (touched(this.state, node.from, node.to)) return;
    for (const name of ['EmphasisMark', 'StrikethroughMark', 'CodeMark']) {
      for (const mark of node.node.getChildren(name)) this.hide(mark.from, mark.to);
    }
  }

  private link(node: SyntaxNode): boolean {
    const [open, close] = node.getChildren('LinkMark');
    // Brackets with no address are brackets.
    if (!open || !close || !(node.getChild('URL') ?? node.getChild('LinkLabel'))) return true;
    this.mark(this.lead(node), open.to, close.from);
    if (touched(this.state, node.from, node.to)) return true;
    this.hide(open.from, open.to);
    this.hide(close.from, node.to);
    return true;
  }

  /** How a link's text looks: what leads out of the app says where, and what leads to nothing says so. */
  private lead(node: SyntaxNode): Decoration {
    const link = readLink(this.state, node);
    if (!link) return linkText;
    const outside = outsideTitle(link.target);
    if (outside !== null) return leading(outside);
    const port = this.state.facet(notePort);
    return port.leads(link) === false
      ? Decoration.mark({ class: 'cm-link cm-link-missing', attributes: { title: port.notYet } })
      : linkText;
  }

  /** An address that stands in the text by itself. */
  private address(from: number, to: number): Decoration {
    const title = outsideTitle(wholeAddress(this.state.sliceDoc(from, to)));
    return title === null ? linkText : leading(title);
  }

  private wiki(node: SyntaxNode): boolean {
    const target = node.getChild('WikiTarget');
    if (!target) return false;
    const shown = node.getChild('WikiAlias') ?? target;
    this.mark(this.lead(node), shown.from, shown.to);
    if (touched(this.state, node.from, node.to)) return false;
    this.hide(node.from, shown.from);
    this.hide(shown.to, node.to);
    return false;
  }

  private picture(node: SyntaxNode): boolean {
    const link = readLink(this.state, node);
    const image = node.name === 'Image' || isPicture(link?.target ?? '');
    if (!link || !image) return node.name === 'WikiEmbed' ? this.wiki(node) : true;
    if (touched(this.state, node.from, node.to) || !this.oneLine(node.from, node.to)) return true;
    this.found.push(Decoration.replace({ widget: new Picture(link, this.describe(node)) }).range(node.from, node.to));
    return false;
  }

  private describe(node: SyntaxNode): string {
    if (node.name === 'WikiEmbed') {
      const alias = node.getChild('WikiAlias') ?? node.getChild('WikiTarget');
      return alias ? this.state.sliceDoc(alias.from, alias.to) : '';
    }
    const [open, close] = node.getChildren('LinkMark');
    return open && close ? this.state.sliceDoc(open.to, close.from) : '';
  }

  private item(node: SyntaxNode): void {
    const mark = node.getChild('ListMark');
    if (!mark) return;
    const line = this.state.doc.lineAt(mark.from);
    let depth = 0;
    for (let above: SyntaxNode | null = node; above; above = above.parent) {
      if (above.name === 'ListItem') depth++;
    }
    this.found.push(Decoration.line({ class: 'cm-item', attributes: { style: `--depth:${depth}` } }).range(line.from));
    const task = node.getChild('Task')?.getChild('TaskMarker');
    const start = this.state.sliceDoc(line.from, mark.from).trim() === '' ? line.from : mark.from;
    if (task) {
      const done = /x/i.test(this.state.sliceDoc(task.from, task.to));
      const end = this.withBlank(task.to);
      if (done) this.mark(taskDone, end, line.to);
      const inside = this.state.selection.ranges.some((range) => range.from < end && range.to > mark.from);
      if (!inside) {
        this.found.push(Decoration.replace({ widget: new TaskBox(done) }).range(start, end));
        return;
      }
      this.mark(quietMark, start, end);
      return;
    }
    const ordered = node.parent?.name === 'OrderedList';
    this.mark(ordered ? number : bullet, start, this.withBlank(mark.to));
  }

  private quote(node: SyntaxNode, from: number, to: number): void {
    const first = this.state.doc.lineAt(node.from);
    const label = /^\s*>\s*\[!([\w-]+)\]/.exec(first.text);
    const callout = label?.[1];
    if (label && callout !== undefined) {
      const kind = `cm-quote cm-callout cm-callout-${callout.toLowerCase()}`;
      this.lines(Decoration.line({ class: kind }), Math.max(node.from, from), Math.min(node.to, to), this.quoted);
      if (first.from >= from && !this.quoted.has(-first.from - 1)) {
        this.quoted.add(-first.from - 1);
        const end = this.withBlank(first.from + label[0].length);
        // With no words of its own the kind is the title.
        if (end < first.to && !this.onTouchedLine(first.from)) this.hide(first.from + label[0].indexOf('['), end);
        this.found.push(Decoration.line({ class: 'cm-callout-title' }).range(first.from));
      }
      return;
    }
    this.lines(quoteLine, Math.max(node.from, from), Math.min(node.to, to), this.quoted);
  }
}

/** Decorations of the given ranges of the text. */
export function decorate(state: EditorState, ranges: readonly { from: number; to: number }[]): DecorationSet {
  const pass = new Pass(state);
  for (const { from, to } of ranges) {
    pass.blanks(from, to);
    syntaxTree(state).iterate({ from, to, enter: (node) => pass.enter(node, from, to) });
  }
  return Decoration.set(pass.found, true);
}

/** Says that everything is to be looked at again. */
const again = StateEffect.define<null>();

/**
 * Hides the signs of Markdown outside the construct that holds the caret. Inside a composition of an
 * input method nothing is rebuilt: the composed text belongs to the input method until it is done.
 */
export const livePreview: Extension = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      private readonly leave: () => void;
      constructor(view: EditorView) {
        this.decorations = decorate(view.state, view.visibleRanges);
        this.leave = view.state.facet(notePort).watch(() => {
          // What is composed is shown anew when it ends.
          if (!view.composing) view.dispatch({ effects: again.of(null) });
        });
      }
      destroy(): void {
        this.leave();
      }
      update(update: ViewUpdate): void {
        const asked = update.transactions.some((one) => one.effects.some((effect) => effect.is(again)));
        if (update.view.composing && !asked) {
          this.decorations = this.decorations.map(update.changes);
          return;
        }
        if (
          asked ||
          update.docChanged ||
          update.viewportChanged ||
          update.selectionSet ||
          update.startState.field(focused, false) !== update.state.field(focused, false) ||
          syntaxTree(update.startState) !== syntaxTree(update.state)
        ) {
          this.decorations = decorate(update.state, update.view.visibleRanges);
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.domEventHandlers({
    compositionend(_event, view) {
      // After the editor has read the composed text.
      setTimeout(() => view.dispatch({ effects: again.of(null) }));
      return false;
    },
  }),
];
