import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown-renderer.ts';

describe('renderMarkdown', () => {
  it.each([
    '![a](https://evil.example/?q=1)',
    '![a](//evil.example/1)',
    '![a][b]\n\n[b]: HTTPS://evil.example/1',
    '[![a](https://evil.example/1)](/x)',
  ])('shows the picture of %s as a link', (text) => expect(renderMarkdown(text)).not.toContain('<img'));

  it('shows pictures of its own', () =>
    expect(renderMarkdown('![a](/pictures/1.png)')).toContain('<img src="/pictures'));

  it.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>'])('shows %s as text', (text) =>
    expect(renderMarkdown(text)).not.toMatch(/<(script|img)/),
  );
  it.each(['[x](javascript:alert(1))', '[x](data:text/html,hi)', '[x](vbscript:x)'])('makes no link of %s', (text) =>
    expect(renderMarkdown(text)).not.toContain('href'),
  );
  it('opens other sites apart, and our own here', () => {
    expect(renderMarkdown('[x](https://example.com)')).toContain('rel="noopener noreferrer nofollow"');
    expect(renderMarkdown('[x](/about)')).toBe('<p><a href="/about">x</a></p>\n');
  });
  it('puts headings below the page’s own', () => expect(renderMarkdown('# Us')).toBe('<h2>Us</h2>\n'));
});
