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
  [
    '> a\n>\n> \\begin{a}x\\end{a}\n\n\\begin{a}y\\end{a}',
    [
      ['\\begin{a}x\\end{a}', true],
      ['\\begin{a}y\\end{a}', true],
    ],
  ],
  [
    '$$\na\n$$</span>\n\ntext\n\n$$\nb\n$$',
    [
      ['a', true],
      ['b', true],
    ],
  ],
  [
    '<span>$$\na\n$$</span> text\n\n$$\nb\n$$',
    [
      ['a', true],
      ['b', true],
    ],
  ],
  [
    '$$\na\n\nb\n$$ where $c$\n\n$$d$$',
    [
      ['a\n\nb', true],
      ['c', false],
      ['d', true],
    ],
  ],
  [
    '<div>\n$$a < b$$ <code>$c$</code> <img alt="$d$"> $e &amp; f$\n</div>',
    [
      ['a &lt; b', true],
      ['e &amp; f', false],
    ],
  ],
  [
    'see \\eqref{x} and $\\eqref{x}$',
    [
      ['\\eqref{x}', false],
      ['\\eqref{x}', false],
    ],
  ],
])('%j', (text, expected) => expect(formulas(text)).toEqual(expected));

test('treats the contents of a formula as text', () => {
  expect(markdown.render('$"><img src=x onerror=alert(1)>$')).not.toContain('<img');
});

/** Counts the characters that are read to find the ends of formulas. */
function looked(text: string): number {
  let count = 0;
  const counting = new MarkdownIt({ html: true }).use(
    mathRules,
    undefined,
    (within: string, what: string, from: number) => {
      const at = within.indexOf(what, from);
      count += (at < 0 ? within.length : at + what.length) - from;
      return at;
    },
  );
  counting.render(text);
  return count;
}

test.each([
  ['signs', (count: number) => '$$x\n'.repeat(count)],
  ['signs in one line', (count: number) => 'a$$'.repeat(count)],
  ['prices', (count: number) => 'costs $5 '.repeat(count)],
  ['escaped signs', (count: number) => `$a${'\\$a'.repeat(count)}`],
  ['backslashes', (count: number) => `$a${'\\'.repeat(count)}$`],
  ['ends of sentences', (count: number) => '$$x\n$$y\n'.repeat(count / 2)],
  ['HTML', (count: number) => `<div>\n${'<!-- $ $$ \\( <pre '.repeat(count)}`],
  ['brackets', (count: number) => '\\\\[ \\\\( '.repeat(count)],
  ['one environment', (count: number) => '\\begin{align}\n\n'.repeat(count)],
  [
    'many environments',
    (count: number) => Array.from({ length: count }, (_, index) => `\\begin{${nameOf(index)}}\n\n`).join(''),
  ],
  ['ends of others', (count: number) => `${'\\begin{a}x\n\n'.repeat(count)}${'\\end{b}\n\n'.repeat(count)}`],
])('what never ends is read a few times, not once for each beginning: %s', (_, make) => {
  const text = make(2_000);
  expect(looked(text)).toBeLessThanOrEqual(text.length * 6);
});

const nameOf = (index: number): string =>
  index
    .toString(26)
    .split('')
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('');
