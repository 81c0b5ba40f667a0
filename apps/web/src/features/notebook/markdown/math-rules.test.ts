import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { mathRules } from './math-rules.ts';

const markdown = new MarkdownIt({ html: true }).use(mathRules);
const formulas = (text: string) =>
  [...markdown.render(text).matchAll(/data-tex="([^"]*)"( data-block)?/g)].map(([, tex, block]) => [tex, !!block]);

test.each([
  ['so $e^{i\\pi}$ it is', [['e^{i\\pi}', false]]],
  ['it costs $5 and $6', []],
  ['from $ 5 $ on', []],
  ['$$a < b$$', [['a &lt; b', true]]],
  ['$$\na\n+ b\n$$', [['a\n+ b', true]]],
  ['\\begin{align}\nx &= 1\n\\end{align}', [['\\begin{align}\nx &amp;= 1\n\\end{align}', true]]],
  [
    '\\\\(x\\\\) and \\\\[y\\\\]',
    [
      ['x', false],
      ['y', true],
    ],
  ],
  ['`$not$`', []],
  ['a\n\n$$ never ends', []],
])('%j', (text, expected) => expect(formulas(text)).toEqual(expected));

test('what stands in a formula is text', () => {
  expect(markdown.render('$"><img src=x onerror=alert(1)>$')).not.toContain('<img');
});
