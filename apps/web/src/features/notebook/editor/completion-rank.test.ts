import { python } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { completionBoost, textPlaceAt, wordCounts } from './completion-rank.ts';

/** The cursor is at the bar. */
function placeIn(text: string) {
  const at = text.indexOf('|');
  return textPlaceAt(EditorState.create({ doc: text.replace('|', ''), extensions: [python()] }), at);
}

test('separates comments and strings from code', () => {
  expect(placeIn('x = 1  # the tide|')).toBe('comment');
  expect(placeIn('x = 1  # the tide|\ny = 2')).toBe('comment');
  expect(placeIn('read("da|")')).toBe('string');
  expect(placeIn('read("da|')).toBe('string');
  expect(placeIn('x = f"{na|}"')).toBe('code');
  expect(placeIn('x = f"na|"')).toBe('string');
  expect(placeIn('"""\nabout|\n"""')).toBe('string');
  expect(placeIn('x = "a"|')).toBe('code');
  expect(placeIn('pri|')).toBe('code');
});

test('ranks names that the code uses first, and names of the history last', () => {
  const used = wordCounts(['df = load()', 'df.head()\ndf.describe()']);
  const rank = (names: string[]) =>
    names.toSorted((one, other) => completionBoost(other, null, used) - completionBoost(one, null, used));
  expect(rank(['_', '___', '_i3', 'dir', 'df', '_own', '__name__'])).toEqual([
    'df',
    'dir',
    '_own',
    '__name__',
    '_',
    '___',
    '_i3',
  ]);
  expect(rank(['df.abs', 'df.describe'])).toEqual(['df.describe', 'df.abs']);
  expect(completionBoost('sep=', 'param', used)).toBeGreaterThan(completionBoost('set', 'class', used));
});
