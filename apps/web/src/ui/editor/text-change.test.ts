import { expect, it } from 'vitest';
import { textChange } from './text-change.ts';

it.each([
  ['', ''],
  ['same', 'same'],
  ['', 'new'],
  ['old', ''],
  ['one two three', 'one 2 three'],
  ['aaa', 'aaaa'],
  ['aaaa', 'aa'],
  ['line\nline\n', 'line\nmore\nline\n'],
])('from %j to %j', (before, after) => {
  const { from, to, insert } = textChange(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  expect(to - from + insert.length).toBeLessThanOrEqual(Math.max(before.length, after.length));
});
