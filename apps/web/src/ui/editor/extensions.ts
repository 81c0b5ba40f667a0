import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { selection } from './selection.ts';
import { typed } from './typed.ts';

/** What reading and comparing need. */
export const readingExtensions = (label: string): Extension => [
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  selection,
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
];

export const onlyReading: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

/** What is typed can be taken back, also after a while of only reading. */
export const undoing: Extension = [history(), keymap.of(historyKeymap)];

/** Escape and then Tab leaves the editor by keyboard. */
export const writingExtensions: Extension = [
  typed,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  dropCursor(),
  indentOnInput(),
  closeBrackets(),
  autocompletion(),
  rectangularSelection(),
  crosshairCursor(),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, indentWithTab]),
];

/** Files keep the line endings they came with. */
export const lineEndings = (text: string): Extension =>
  text.includes('\r\n') ? EditorState.lineSeparator.of('\r\n') : [];

/** As each language is usually written. */
export const indentation = (name: string): Extension => indentUnit.of(/\.(py|jl|ipynb)$/i.test(name) ? '    ' : '  ');
