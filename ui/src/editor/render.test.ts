// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { citationMarker } from './citations';
import { markdownBlocks, renderMarkdown, type RenderOptions } from './render';

function html(source: string, options?: RenderOptions): string {
  const holder = document.createElement('div');
  holder.append(renderMarkdown(source, options));
  return holder.innerHTML;
}

/** The elements without their attributes. */
function bare(source: string): string {
  return html(source).replace(/<(\w+)[^>]*>/g, '<$1>');
}

describe('reading view', () => {
  it('loads nothing and runs nothing', () => {
    expect(html('<img src=x onerror=alert(1)>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>');
    expect(html('<script>alert(1)</script>')).not.toContain('<script');
    expect(html('![a](https://tracker.example/p.png)')).not.toContain('src=');
    for (const address of ['javascript:alert(1)', 'data:text/html,x', ' vbscript:x', 'JaVaScRiPt:x']) {
      expect(html(`[a](${address})`)).not.toContain('<a');
      expect(html(`[a]\n\n[a]: ${address}`)).not.toContain('<a');
      expect(html(`<${address}>`)).not.toContain('<a');
    }
    expect(html('[a](https://example.org)')).toContain('href="#"');
    expect(html('&lt;b&gt; &#x41;')).toBe('<p>&lt;b&gt; A</p>');
  });

  it('draws blocks', () => {
    expect(bare('# One #\n\nTwo\n===\n\n***\n\n> quoted\n> on')).toBe(
      '<h1>One</h1><h1>Two</h1><hr><blockquote><p>quoted\non</p></blockquote>',
    );
    expect(bare('a  \nb\\\nc')).toBe('<p>a<br>\nb<br>\nc</p>');
    expect(bare('*a **b*** ~~c~~ `` d`e `` \\*f\\*')).toBe(
      '<p><em>a <strong>b</strong></em> <s>c</s> <code>d`e</code> *f*</p>',
    );
  });

  it('draws lists, tight and loose', () => {
    expect(bare('- a\n  - b\n- c')).toBe('<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>');
    expect(bare('- a\n\n- b')).toBe('<ul><li><p>a</p></li><li><p>b</p></li></ul>');
    expect(html('3. a\n4. b')).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
    expect(bare('- a\n\n  ```\n  x\n    y\n  ```')).toBe('<ul><li><p>a</p><pre><code>x\n  y\n</code></pre></li></ul>');
  });

  it('draws code with its language', () => {
    expect(html('```rust title\nfn a() {}\n\nx\n```')).toBe(
      '<pre><code data-language="rust">fn a() {}\n\nx\n</code></pre>',
    );
    expect(html('> ```\n> a\n>\n> b\n> ```')).toContain('<code>a\n\nb\n</code>');
    expect(html('    a\n\n    b')).toBe('<pre><code>a\n\nb\n</code></pre>');
  });

  it('draws tables, with empty cells and bars inside cells', () => {
    expect(html('| a | |\n|:-:|--:|\n| `x\\|y` | b | c |\n| | d')).toBe(
      '<table><thead><tr><th style="text-align: center;">a</th><th style="text-align: right;"></th></tr></thead>' +
        '<tbody><tr><td style="text-align: center;"><code>x|y</code></td><td style="text-align: right;">b</td></tr>' +
        '<tr><td style="text-align: center;"></td><td style="text-align: right;">d</td></tr></tbody></table>',
    );
  });

  it('keeps what links lead to', () => {
    const targets = (source: string) => [...html(source).matchAll(/data-kind="(\w+)" data-target="([^"]*)"[^>]*>([^<]*)/g)].map((found) => found.slice(1));
    expect(targets('[[Plan#Costs|costs]] ![[Plan]]')).toEqual([
      ['wiki', 'Plan#Costs', 'costs'],
      ['embed', 'Plan', 'Plan'],
    ]);
    expect(targets('| a |\n|---|\n| [[P\\|x]] |')).toEqual([['wiki', 'P', 'x']]);
    expect(targets('[a *b*](<x y.md> "t") ![p](q.png)')[1]).toEqual(['image', 'q.png', '']);
    expect(targets('[a][B] [b] [c]\n\n[b]: x.md')).toEqual([
      ['inline', 'x.md', 'a'],
      ['inline', 'x.md', 'b'],
    ]);
    expect(targets('[a(b[, c])](x.md) [[1]](https://a.example)').map(([, target]) => target)).toEqual(['x.md', 'https://a.example']);
    expect(targets('[a][]\n\n[A]: x.md')).toEqual([['inline', 'x.md', 'a']]);
    expect(targets('<https://a.example> www.b.example c@d.example')).toEqual([
      ['inline', 'https://a.example', 'https://a.example'],
      ['inline', 'https://www.b.example', 'www.b.example'],
      ['inline', 'mailto:c@d.example', 'c@d.example'],
    ]);
  });

  it('names the boxes of tasks, and lets them be ticked only where that is wanted', () => {
    const boxes = (options?: RenderOptions) => {
      const holder = document.createElement('div');
      holder.append(renderMarkdown('- [x] done **now**\n- [ ] open', options));
      return [...holder.querySelectorAll('input')];
    };
    expect(boxes().map(({ checked, disabled }) => [checked, disabled])).toEqual([[true, true], [false, true]]);
    expect(boxes().map((box) => box.getAttribute('aria-label'))).toEqual(['done now', 'open']);
    expect(boxes({ ticks: true }).map(({ disabled, dataset }) => [disabled, dataset['at']])).toEqual([
      [false, '2'],
      [false, '21'],
    ]);
  });

  it('draws callouts', () => {
    expect(html('> [!warning] Care*ful*\n> Tinted.')).toBe(
      '<blockquote class="callout callout-warning"><p><strong>Care<em>ful</em></strong><br>Tinted.</p></blockquote>',
    );
    expect(html('> [!note]\n\n> [!tip]\n> One')).toContain('<strong>note</strong></p></blockquote>');
  });

  it('marks source lines', () => {
    expect(html('# a\n\nb\n', { firstLine: 5 })).toBe('<h1 data-line="5">a</h1><p data-line="7">b</p>');
  });

  it('knows which blocks stayed the same', () => {
    const keys = (source: string) => markdownBlocks(source).map(({ key }) => key);
    expect(keys('a\n\nb\n\nc')[0]).toBe(keys('a\n\nx\n\nc')[0]);
    expect(keys('[a]\n\n[a]: x')[0]).not.toBe(keys('[a]\n\n[a]: y')[0]);
  });
});

describe('citations', () => {
  it('reads markers only where they are asked for', () => {
    expect(html('[a [b] *c*] [d]()')).toBe('<p>[a [b] <em>c</em>] [d]()</p>');
    expect(html('a[1]')).toBe('<p>a[1]</p>');
    const numbers = (source: string) => [...html(source, { citations: true }).matchAll(/data-cite="(\d+)"/g)].map((found) => found[1]);
    expect(numbers('a[1][2]. 承诺【3】')).toEqual(['1', '2', '3']);
    expect(numbers('[1](a.md) and `[1]`')).toEqual([]);
  });

  it('knows markers from links', () => {
    expect(citationMarker('[1, 3] x', 0)).toEqual({ numbers: [1, 3], length: 6 });
    expect(citationMarker('【2】', 0)).toEqual({ numbers: [2], length: 3 });
    expect(citationMarker('[1](a.md)', 0)).toBeNull();
    expect(citationMarker('[x]', 0)).toBeNull();
  });
});

it('says where a link out of the app leads, by its true host', () => {
  const title = (source: string) => /title="([^"]*)"/.exec(html(source))?.[1];
  expect(title('[bank](https://bank.example@evil.example/pay)')).toBe('evil.example\nhttps://bank.example@evil.example/pay');
  expect(title('[a](https://\u0430pple.example)')).toMatch(/^xn--[a-z0-9-]+\.example\n/);
  expect(title('https://a.example/x')).toBe('a.example\nhttps://a.example/x');
  expect(title('[me](mailto:me@a.example)')).toBe('mailto:me@a.example');
  expect(title('[other](other.md)')).toBeUndefined();
});
