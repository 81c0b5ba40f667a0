import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { insertLink, toggleLines, toggleMark } from './markdown-marks.ts';

/** The selection is between the bars. */
function changed(text: string, change: (state: EditorState) => TransactionSpec): string {
  const anchor = text.indexOf('|');
  const head = text.lastIndexOf('|') - (text.lastIndexOf('|') > anchor ? 1 : 0);
  const state = EditorState.create({ doc: text.replaceAll('|', ''), selection: { anchor, head } });
  const next = state.update(change(state)).state;
  const { from, to } = next.selection.main;
  return `${next.sliceDoc(0, from)}|${next.sliceDoc(from, to)}|${next.sliceDoc(to)}`;
}

test('puts marks around the selection and removes them', () => {
  const bold = (text: string) => changed(text, (state) => toggleMark(state, '**'));
  const italic = (text: string) => changed(text, (state) => toggleMark(state, '*'));
  expect(bold('high |tide|')).toBe('high **|tide|**');
  expect(bold('high **|tide|**')).toBe('high |tide|');
  expect(bold('high |')).toBe('high **||**');
  expect(italic('**|tide|**')).toBe('***|tide|***');
});

test('turns lines into a list, a heading or a quote, and back', () => {
  const list = (text: string) => changed(text, (state) => toggleLines(state, () => '- ')).replaceAll('|', '');
  expect(list('|one\ntwo|')).toBe('- one\n- two');
  expect(list('|- one\n- two|')).toBe('one\ntwo');
  expect(list('|# one|')).toBe('- one');
  const numbers = changed('|one\ntwo|', (state) => toggleLines(state, (index) => `${index + 1}. `));
  expect(numbers.replaceAll('|', '')).toBe('1. one\n2. two');
});

test('inserts a link with its address to be typed', () => {
  expect(changed('see |here|', insertLink)).toBe('see [here](|https://|)');
});
