import { isWithin, matchesIn, type Marks } from './marks';

/** Marks words within blocks that are drawn, without a change of what is drawn. Ends with what `end` does. */
export function highlight(root: HTMLElement, marks: Marks): { end: () => void; at: Range | undefined } {
  const { words, here } = marks;
  let at: Range | undefined;
  const others: Range[] = [];
  for (const block of root.querySelectorAll<HTMLElement>('[data-block]')) {
    const number = Number(block.dataset['block']);
    if (!isWithin(marks, number)) continue;
    let nth = 0;
    // Beside the words of a block stands what it is called; a table is searched cell by cell.
    const leaves = block.matches('.words, pre') ? [block] : block.querySelectorAll<HTMLElement>('td, .words');
    for (const leaf of leaves) {
      for (const range of rangesIn(leaf, words)) {
        if (here?.block === number && here.nth === nth) at = range;
        else others.push(range);
        nth += 1;
      }
    }
  }
  const named: [string, Range[]][] = [['found', others], ['found-here', at === undefined ? [] : [at]]];
  for (const [name, ranges] of named) for (const range of ranges) shared(name)?.add(range);
  return {
    at,
    end: () => {
      for (const [name, ranges] of named) for (const range of ranges) shared(name)?.delete(range);
    },
  };
}

/** One for all views: their names belong to the page. */
function shared(name: string): Highlight | undefined {
  // Older WebKits know none; there the block alone shows where one is.
  if (!('highlights' in CSS)) return undefined;
  let one = CSS.highlights.get(name);
  if (one === undefined) {
    one = new Highlight();
    CSS.highlights.set(name, one);
  }
  return one;
}

function rangesIn(leaf: HTMLElement, words: readonly string[]): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walk = document.createTreeWalker(leaf, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node instanceof Text; node = walk.nextNode()) {
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return matchesIn(text, words).map(([start, end]) => {
    const range = document.createRange();
    const first = nodes.findLast((one) => one.start <= start);
    const last = nodes.findLast((one) => one.start < end);
    if (first !== undefined && last !== undefined) {
      range.setStart(first.node, start - first.start);
      range.setEnd(last.node, end - last.start);
    }
    return range;
  });
}
