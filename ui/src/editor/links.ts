import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { EditorView, type Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { decodeAddress, isOutside, splitFragment, wholeAddress } from './address';
import { notePort, type WrittenLink } from './note-port';

const LINK_NODES = new Set(['WikiLink', 'WikiEmbed', 'Link', 'Image', 'Autolink', 'URL']);

/** The link node around a position, if there is one. */
export function linkAt(state: EditorState, position: number): WrittenLink | null {
  for (const side of [-1, 1] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, side);
    while (node && !LINK_NODES.has(node.name)) node = node.parent;
    if (node?.name === 'URL' && node.parent && LINK_NODES.has(node.parent.name)) node = node.parent;
    const link = node && readLink(state, node);
    if (link) return link;
  }
  return null;
}

/** What a link node says. */
export function readLink(state: EditorState, node: SyntaxNode): WrittenLink | null {
  const text = (part: SyntaxNode) => state.sliceDoc(part.from, part.to);
  if (node.name === 'WikiLink' || node.name === 'WikiEmbed') {
    const target = node.getChild('WikiTarget');
    if (!target) return null;
    return {
      kind: node.name === 'WikiEmbed' ? 'embed' : 'wiki',
      ...splitFragment(text(target).trim()),
    };
  }
  const address = node.name === 'URL' ? node : node.getChild('URL');
  if (!address) return null;
  const standsAlone = node === address || node.name === 'Autolink';
  const written = standsAlone ? wholeAddress(text(address)) : decodeAddress(text(address));
  const kind = node.name === 'Image' ? 'image' : 'inline';
  return isOutside(written) ? { kind, target: written, fragment: null } : { kind, ...splitFragment(written) };
}

/** Follows the link under the caret. */
export const followLink: Command = (view) => {
  const link = linkAt(view.state, view.state.selection.main.head);
  if (!link) return false;
  view.state.facet(notePort).follow(link, false);
  return true;
};

/** A click with Ctrl or Cmd on a link follows it; the middle button opens it beside. */
export const clickLinks = EditorView.domEventHandlers({
  mousedown(event, view) {
    const middle = event.button === 1;
    if (!middle && !(event.button === 0 && (event.ctrlKey || event.metaKey))) return false;
    const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
    const link = position === null ? null : linkAt(view.state, position);
    if (!link) return false;
    event.preventDefault();
    view.state.facet(notePort).follow(link, middle);
    return true;
  },
});
