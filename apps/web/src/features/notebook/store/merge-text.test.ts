import { expect, test } from 'vitest';
import { mergedText } from './merge-text.ts';

test.each([
  ['a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['a\nb\nc', 'a\nb\nC', 'A\nb\nc', 'A\nb\nC'],
  ['a\nb', 'a\nb\nmine', 'first\na\nb', 'first\na\nb\nmine'],
  ['a', 'a', 'theirs', 'theirs'],
  ['a', 'mine', 'a', 'mine'],
  ['a', 'both', 'both', 'both'],
  ['x = 1', 'xy = 1', 'x = 12', null],
  ['a\n', 'a\nmine', 'a\ntheirs', null],
  ['a\nb\nc', 'one', 'a\nb\nC', null],
])('%j with %j and %j', (over, mine, theirs, merged) => expect(mergedText(over, mine, theirs)).toBe(merged));
