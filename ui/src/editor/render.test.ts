// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { citationMarker, renderMarkdown } from './render';

function check(source: string, expected: string, citations = false) {
  expect(renderMarkdown(source, { citations }).trim()).toBe(expected);
}

describe('reading view', () => {
  it('loads nothing and runs nothing', () => {
    check('<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>');
    expect(renderMarkdown('![a](https://tracker.example/p.png)')).not.toContain('src=');
    expect(renderMarkdown('[a](javascript:alert(1))')).not.toContain('<a');
    expect(renderMarkdown('[a](https://example.org)')).toContain('href="#"');
  });

  it('keeps what links lead to', () => {
    check(
      '[[Plan#Costs|costs]]',
      '<p><a href="#" class="wiki" data-kind="wiki" data-target="Plan#Costs">costs</a></p>',
    );
    expect(renderMarkdown('| a |\n|---|\n| [[P\\|x]] |')).toContain('data-target="P">x</a>');
  });

  it('draws tasks', () => {
    expect(renderMarkdown('- [x] done\n- [ ] open')).toContain(
      '<li class="task task-done"><input type="checkbox" class="task-box" checked="" disabled="">done</li>',
    );
  });

  it('draws callouts', () => {
    check(
      '> [!warning] Careful\n> Tinted.',
      '<blockquote class="callout callout-warning">\n<p><strong>Careful</strong><br>\nTinted.</p>\n</blockquote>',
    );
  });

  it('marks source lines', () => {
    expect(renderMarkdown('# a\n\nb\n', { firstLine: 1 })).toContain('<p data-line="3">');
  });
});

describe('citations', () => {
  it('reads markers only where they are asked for', () => {
    expect(renderMarkdown('a[1]', {})).toContain('a[1]');
    check(
      'a[1][2].',
      '<p>a<button type="button" class="cite" data-cite="1">1</button><button type="button" class="cite" data-cite="2">2</button>.</p>',
      true,
    );
    expect(renderMarkdown('`[1]`', { citations: true })).not.toContain('cite');
  });

  it('knows markers from links', () => {
    expect(citationMarker('[1, 3] x', 0)).toEqual({ numbers: [1, 3], length: 6 });
    expect(citationMarker('【2】', 0)).toEqual({ numbers: [2], length: 3 });
    expect(citationMarker('[1](a.md)', 0)).toBeNull();
    expect(citationMarker('[x]', 0)).toBeNull();
  });
});
