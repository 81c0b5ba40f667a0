import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editorTheme } from '../../../ui/editor/theme.ts';

/** As tall as its text, on the cell's own ground; the static text has the same measures. */
const styles = EditorView.theme({
  '&': { height: 'auto', backgroundColor: 'transparent' },
  '.cm-scroller': { overflowX: 'auto', overflowY: 'hidden' },
  '.cm-content': { padding: '8px 0' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': { backgroundColor: 'transparent', paddingLeft: '4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
});

export const cellTheme = (isDark: boolean): Extension => [styles, editorTheme(isDark)];
