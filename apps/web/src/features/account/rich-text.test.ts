import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../ui/markdown/markdown-renderer.ts';
import { type RichNode, toMarkdown } from './rich-text.ts';

const text = (words: string, ...marks: string[]): RichNode => ({
  type: 'text',
  text: words,
  marks: marks.map((type) => ({ type, attrs: type === 'link' ? { href: 'https://example.org/a b' } : {} })),
});
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content });
const written = (...content: RichNode[]) => toMarkdown({ type: 'doc', content });

describe('a rich text', () => {
  it('is written as Markdown that shows the same', () => {
    const markdown = written(
      { type: 'heading', attrs: { level: 2 }, content: [text('Hello')] },
      paragraph(text('I am '), text('bold ', 'bold'), text('and '), text('linked', 'link', 'italic')),
      {
        type: 'bulletList',
        content: [
          { type: 'listItem', content: [paragraph(text('one')), paragraph(text('more'))] },
          { type: 'listItem', content: [paragraph(text('two'))] },
        ],
      },
      { type: 'codeBlock', attrs: { language: 'py' }, content: [text('a = "```"')] },
      { type: 'blockquote', content: [paragraph(text('said'))] },
    );
    const html = renderMarkdown(markdown);
    expect(html).toContain('<strong>bold</strong> and');
    expect(html).toContain('href="https://example.org/a%20b"');
    expect(html.match(/<li>/g)).toHaveLength(2);
    expect(html).toContain('a = &quot;```&quot;');
    expect(html).toContain('<blockquote>');
  });

  it('cannot become anything else by what was typed', () => {
    const typed = '<img src=x onerror=alert(1)> [click](javascript:alert(1)) # not *one* _bit_ `of` it 1. x';
    const html = renderMarkdown(
      written(paragraph(text(typed)), paragraph(text('# no heading')), paragraph(text('1. no list'))),
    );
    expect(html).not.toMatch(/<(img|a|em|code|h\d|ol|li)/);
    expect(html.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(typed);
  });
});
