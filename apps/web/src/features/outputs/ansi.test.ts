import { expect, test } from 'vitest';
import { parseAnsi } from './ansi.ts';

const looks = (text: string) =>
  parseAnsi(text).map(({ text, ...style }) => [
    text,
    Object.fromEntries(Object.entries(style).filter(([, value]) => value !== null && value !== false)),
  ]);

test.each([
  ['plain', [['plain', {}]]],
  [
    '\u001B[31mred\u001B[0m not',
    [
      ['red', { colour: 1 }],
      [' not', {}],
    ],
  ],
  [
    '\u001B[1;92mbold\u001B[22m green\u001B[m',
    [
      ['bold', { isBold: true, colour: 10 }],
      [' green', { colour: 10 }],
    ],
  ],
  [
    '\u001B[38;5;9ma\u001B[38;5;196mb',
    [
      ['a', { colour: 9 }],
      ['b', { colour: 'rgb(255 0 0)' }],
    ],
  ],
  ['\u001B[48;5;244mgrey', [['grey', { background: 'rgb(128 128 128)' }]]],
  ['\u001B[38;2;1;2;3;4mx', [['x', { colour: 'rgb(1 2 3)', isUnderlined: true }]]],
  ['\u001B[38;2;999;;mx', [['x', { colour: 'rgb(255 0 0)' }]]],
  [
    'a\u001B[?25lb\u001B]0;title\u0007c',
    [
      ['a', {}],
      ['b', {}],
      ['c', {}],
    ],
  ],
  ['\u001B[31', [['\u001B[31', {}]]],
  ['', []],
])('%j', (text, expected) => expect(looks(text)).toEqual(expected));
