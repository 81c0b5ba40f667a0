import type { EditorState, TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import {
  type Icon,
  IconBlockquote,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
} from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { insertLink, toggleLines, toggleMark } from './markdown-marks.ts';
import classes from './text-bar.module.css';

const tools: [label: string, icon: Icon, change: (state: EditorState) => TransactionSpec][] = [
  ['Bold', IconBold, (state) => toggleMark(state, '**')],
  ['Italic', IconItalic, (state) => toggleMark(state, '*')],
  ['Code', IconCode, (state) => toggleMark(state, '`')],
  ['Link', IconLink, insertLink],
  ['Heading', IconHeading, (state) => toggleLines(state, () => '## ')],
  ['List', IconList, (state) => toggleLines(state, () => '- ')],
  ['Numbered list', IconListNumbers, (state) => toggleLines(state, (index) => `${index + 1}. `)],
  ['Quote', IconBlockquote, (state) => toggleLines(state, () => '> ')],
];

/** Buttons that format the text below them. */
export function TextBar() {
  const apply = (event: MouseEvent, change: (state: EditorState) => TransactionSpec) => {
    const editor = event.currentTarget.closest('[data-cell]')?.querySelector<HTMLElement>('.cm-editor');
    const view = editor ? EditorView.findFromDOM(editor) : null;
    if (!view) return;
    view.dispatch(change(view.state));
    view.focus();
  };
  return (
    <div className={classes.bar} role="toolbar" aria-label="Formatting">
      {tools.map(([label, ToolIcon, change]) => (
        <IconButton
          key={label}
          label={label}
          size={28}
          // The editor keeps the focus and its cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => apply(event, change)}
        >
          <ToolIcon size={16} stroke={1.6} />
        </IconButton>
      ))}
    </div>
  );
}
