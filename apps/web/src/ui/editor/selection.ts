import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection } from '@codemirror/view';

const drawn = new Compartment();
const all = drawSelection();

/**
 * The browser shows where one writes by itself, and only one place. Drawing it means to measure the text with each key, and
 * takes as long as everything else a key causes; so it is drawn only while there are several.
 */
export const selection: Extension = [
  EditorState.allowMultipleSelections.of(true),
  drawn.of([]),
  EditorState.transactionExtender.of(({ startState, newSelection }) => {
    const isDrawn = drawn.get(startState) === all;
    const hasSeveral = newSelection.ranges.length > 1;
    return isDrawn === hasSeveral ? null : { effects: drawn.reconfigure(hasSeveral ? all : []) };
  }),
];
