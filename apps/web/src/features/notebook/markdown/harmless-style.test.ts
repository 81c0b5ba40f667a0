import { expect, test } from 'vitest';
import { harmlessStyle } from './harmless-style.ts';

test.each([
  ['color: red; text-align:center', 'color: red; text-align: center'],
  ['color: rgb(1, 2, 3 / 50%); width: 50%', 'color: rgb(1, 2, 3 / 50%); width: 50%'],
  ['position: fixed; inset: 0; z-index: 99; color: blue', 'color: blue'],
  ['POSITION:fixed;transform:scale(9)', ''],
  ['background: url(https://example.org/seen)', ''],
  ['background-color: url(https://example.org/seen)', ''],
  ['color: var(--x, url(//a))', ''],
  ['col\\6fr: red; color: r\\65 d', ''],
  ['color: red/**/; width: calc(100vw)', ''],
  ['margin-top: -900px; opacity: 0; float: left', ''],
])('%s', (style, expected) => expect(harmlessStyle(style)).toBe(expected));
