import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';

/** What reading and comparing need. */
export const readingExtensions = (label: string, isReadOnly: boolean): Extension => [
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  drawSelection(),
  bracketMatching(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorState.readOnly.of(isReadOnly),
  EditorView.editable.of(!isReadOnly),
  keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
];

/** Escape and then Tab leaves the editor by keyboard. */
export const writingExtensions: Extension = [
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  closeBrackets(),
  autocompletion(),
  rectangularSelection(),
  crosshairCursor(),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
];

/** Files keep the line endings they came with. */
export const lineEndings = (text: string): Extension =>
  text.includes('\r\n') ? EditorState.lineSeparator.of('\r\n') : [];

/** As each language is usually written. */
export const indentation = (name: string): Extension => indentUnit.of(/\.(py|jl|ipynb)$/i.test(name) ? '    ' : '  ');
