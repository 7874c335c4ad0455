import './prose.css';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { codeColours } from './code';

const page = EditorView.theme({
  '&': { height: '100%', background: 'var(--bg-page)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    font: 'var(--text-lg)/var(--leading-read) var(--font-read)',
    overflow: 'auto',
    padding: '40px 28px 40vh',
    justifyContent: 'center',
  },
  '.cm-content': {
    flex: '0 1 auto',
    width: '100%',
    maxWidth: 'calc(var(--measure) + 24px)',
    padding: '0',
    caretColor: 'var(--accent-line)',
  },
  '.cm-line': { padding: '0 12px', borderRadius: 'var(--radius-1)' },
  '&.cm-focused .cm-activeLine': { background: 'var(--bg-hover)' },
  '.cm-activeLine': { background: 'none' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent-line)', marginLeft: '-1px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '.cm-selectionMatch': { background: 'none', boxShadow: '0 0 0 1px var(--line-strong)', borderRadius: '2px' },
  '.cm-searchMatch': { background: 'var(--find)', borderRadius: '2px' },
  '.cm-searchMatch-selected': { background: 'var(--find-current)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-panels': { background: 'var(--bg-chrome)', color: 'var(--text)', zIndex: '2' },
  // Over the padding above the text, so that opening it moves nothing.
  '.cm-panels-top': {
    position: 'absolute !important',
    top: '0',
    left: '0',
    right: '0',
    borderBottom: '1px solid var(--line)',
  },
});

const markdownLook = EditorView.theme({
  '.cm-syntax': { color: 'var(--text-3)', fontWeight: 'var(--weight-normal)' },
  '.cm-blank': { lineHeight: '1' },
  '.cm-h': { fontWeight: 'var(--weight-strong)', lineHeight: '1.4', letterSpacing: '-.005em' },
  '.cm-h1': {
    fontSize: 'var(--text-3xl)',
    lineHeight: '1.3',
    letterSpacing: '-.015em',
    paddingTop: '2px',
  },
  '.cm-h2': { fontSize: 'var(--text-xl)', paddingTop: '8px' },
  '.cm-h3': { fontSize: 'var(--text-lg)', paddingTop: '6px' },
  '.cm-h4, .cm-h5, .cm-h6': { fontSize: 'var(--text-lg)', color: 'var(--text-2)', paddingTop: '4px' },
  // The line says it is a link where the colour does not.
  '.cm-link': { color: 'var(--accent-text)', textDecoration: 'underline 1px color-mix(in srgb, currentColor 40%, transparent)', textUnderlineOffset: '3px', cursor: 'text' },
  '.cm-link-missing': { color: 'var(--text-3)', textDecoration: 'underline dashed 1px', textUnderlineOffset: '3px' },
  '&.cm-following .cm-link': { textDecorationColor: 'currentColor', cursor: 'pointer' },
  // Depth widens the hanging indent; the inline-block prefix fills it, so wrapped lines align.
  '.cm-item': {
    paddingLeft: 'calc(12px + var(--depth) * 22px)',
    textIndent: 'calc(var(--depth) * -22px)',
  },
  '.cm-bullet, .cm-number': {
    display: 'inline-block',
    minWidth: 'calc(var(--depth) * 22px)',
    textIndent: '0',
    textAlign: 'right',
    whiteSpace: 'pre',
    color: 'var(--text-3)',
    paddingRight: '2px',
    boxSizing: 'border-box',
  },
  '.cm-bullet': { position: 'relative' },
  '.cm-bullet, .cm-bullet *': { color: 'transparent' },
  '.cm-bullet::after': {
    content: '"•"',
    color: 'var(--text-3)',
    position: 'absolute',
    right: '9px',
    top: '0',
  },
  '.cm-task': {
    display: 'inline-flex',
    width: 'calc(var(--depth) * 22px)',
    textIndent: '0',
    justifyContent: 'flex-end',
    paddingRight: '7px',
    boxSizing: 'border-box',
    verticalAlign: '-2px',
  },
  '.cm-task-done': { color: 'var(--text-3)' },
  '.cm-quote': { color: 'var(--text-2)', position: 'relative', paddingLeft: '28px', textIndent: '-14px' },
  '.cm-quote::before': {
    content: '""',
    position: 'absolute',
    left: '12px',
    top: '0',
    bottom: '0',
    width: '2px',
    background: 'var(--line-strong)',
  },
  '.cm-quote-mark': {
    display: 'inline-block',
    minWidth: '14px',
    textIndent: '0',
    whiteSpace: 'pre',
    color: 'transparent',
  },
  '.cm-quote-mark *': { color: 'inherit' },
  '&.cm-focused .cm-activeLine .cm-quote-mark': { color: 'var(--text-3)' },
  '.cm-callout': { background: 'var(--bg-sunken)', borderRadius: '0', color: 'var(--text)' },
  '.cm-callout::before': { background: 'var(--info)', left: '0' },
  '.cm-callout-title': { fontWeight: 'var(--weight-strong)' },
  '.cm-callout-warning::before, .cm-callout-caution::before': { background: 'var(--warn)' },
  '.cm-callout-danger::before, .cm-callout-error::before': { background: 'var(--danger)' },
  '.cm-callout-tip::before, .cm-callout-success::before': { background: 'var(--add)' },
  '.cm-code': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-md)',
    lineHeight: 'var(--leading-code)',
    background: 'var(--bg-sunken)',
    borderRadius: '0',
  },
  '.cm-table-line': { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-sm)' },
  '.cm-rule': {
    color: 'transparent',
    backgroundImage: 'linear-gradient(var(--line-strong), var(--line-strong))',
    backgroundSize: 'calc(100% - 24px) 1px',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
  },
  '.cm-table table': { margin: '0' },
  // The editor keeps white space; between the parts of a table it would be lines.
  '.cm-table, .cm-properties': { whiteSpace: 'normal' },
  '.cm-table': { padding: '2px 12px 10px', cursor: 'text' },
  '.cm-passage': { background: 'var(--accent-tint)', borderRadius: '0', boxShadow: 'inset 3px 0 0 var(--accent-line)' },
  '&.cm-focused .cm-activeLine.cm-passage': { background: 'var(--accent-tint)' },
  '.cm-properties': { display: 'flex', flexWrap: 'wrap', gap: '4px 6px', padding: '0 12px 18px', cursor: 'default' },
  '.cm-chip': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    minHeight: '22px',
    padding: '0 7px',
    borderRadius: 'var(--radius-1)',
    background: 'var(--bg-selected)',
    color: 'var(--text-2)',
    font: 'var(--text-xs)/1.4 var(--font-ui)',
    border: '0',
    maxWidth: '100%',
  },
  '.cm-chip-detail': { fontFamily: 'var(--font-mono)', overflowWrap: 'anywhere', color: 'var(--text-3)' },
  '.cm-chip-quiet': { background: 'none', color: 'var(--text-3)', cursor: 'pointer' },
  '.cm-picture': { maxWidth: '100%', maxHeight: '70vh', borderRadius: 'var(--radius-2)', verticalAlign: 'bottom' },
  '.cm-picture-waiting': { width: '100%', height: '160px', background: 'var(--bg-sunken)' },
});

const panels = EditorView.theme({
  '.cm-find': { padding: '6px 12px', display: 'grid', gap: '6px', font: 'var(--text-sm)/1.4 var(--font-ui)' },
  '.cm-find-row': { display: 'flex', alignItems: 'center', gap: '4px' },
  '.cm-find-replace': { display: 'none' },
  '.cm-find-replacing .cm-find-replace': { display: 'flex' },
  '.cm-find-field': {
    flex: '0 1 280px',
    minWidth: '80px',
    height: 'var(--control)',
    padding: '0 10px',
    font: 'inherit',
    color: 'inherit',
    background: 'var(--bg-raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-2)',
  },
  '.cm-find-count': { minWidth: '64px', padding: '0 6px', color: 'var(--text-3)', fontSize: 'var(--text-xs)' },
  '.cm-find button': {
    height: 'var(--control-sm)',
    minWidth: 'var(--control-sm)',
    padding: '0 6px',
    font: 'inherit',
    fontSize: 'var(--text-xs)',
    color: 'var(--text-2)',
    background: 'none',
    border: '0',
    borderRadius: 'var(--radius-2)',
    cursor: 'default',
  },
  '.cm-find button:hover': { background: 'var(--bg-hover)' },
  '.cm-find button[aria-pressed=true]': { background: 'var(--bg-selected)', color: 'var(--text)' },
  '.cm-find button.cm-find-text': { border: '1px solid var(--line-strong)', background: 'var(--bg-raised)' },
  '.cm-find :focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-tooltip': {
    background: 'var(--bg-raised)',
    border: '0',
    borderRadius: 'var(--radius-3)',
    boxShadow: 'var(--shadow-3)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: 'var(--text-sm)/1.4 var(--font-ui)',
    padding: '4px',
    maxHeight: '260px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '4px 8px',
    borderRadius: 'var(--radius-1)',
    display: 'flex',
    gap: '12px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--bg-selected)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: 'auto' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--weight-strong)' },
});

const look = HighlightStyle.define([
  { tag: tags.strong, fontWeight: 'var(--weight-strong)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through', color: 'var(--text-3)' },
  { tag: tags.monospace, fontFamily: 'var(--font-mono)', fontSize: '.92em' },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: 'var(--text-3)' },
  { tag: tags.tagName, color: 'var(--text-2)' },
]);

/** How a note looks in the editor: every colour and size is a token. */
// What comes first wins over what comes later.
export const noteLook: Extension = [panels, markdownLook, page, syntaxHighlighting(look), syntaxHighlighting(codeColours)];
