import type { CellType } from '@atoll/contract';
import { EditorView } from '@codemirror/view';
import { type MouseEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import CellEditor from '../editor/cell-editor.tsx';
import { highlighted, useLanguage } from '../editor/highlight.ts';
import { fileNameOf } from '../model.ts';
import { useCellState, useNotebook, useSignal } from '../notebook-context.tsx';
import classes from './code.module.css';

interface CellSourceProps {
  id: string;
  type: CellType;
  label: string;
  isReadOnly: boolean;
  onPaste?(event: ClipboardEvent, view: EditorView): boolean;
}

/** The text of a cell: static at first, because that is cheap, and an editor once a person writes in it. */
export function CellSource({ id, type, label, isReadOnly, onPaste }: CellSourceProps) {
  const { store, ui } = useNotebook();
  const { isEditing, hasNumbers } = useCellState(id);
  const language = useLanguage(fileNameOf(type, store.language));
  const found = useSignal(ui, `found:${id}`, ui.getFound);
  // The editor stays once it exists, and keeps its undo history.
  const [hadEditor, setHadEditor] = useState(false);
  const hasEditor = isEditing || hadEditor || found?.id === id;
  if (hasEditor && !hadEditor) setHadEditor(true);
  const isWrapped = type === 'markdown' || type === 'raw';
  if (!hasEditor && !hasNumbers) return <StaticSource {...{ id, type, label, language, isWrapped, isReadOnly }} />;
  return (
    <CellEditor
      id={id}
      label={label}
      language={language}
      isReadOnly={isReadOnly}
      isEditing={isEditing}
      isWrapped={isWrapped}
      hasNumbers={hasNumbers}
      onPaste={onPaste}
    />
  );
}

interface StaticProps extends Omit<CellSourceProps, 'onPaste'> {
  language: ReturnType<typeof useLanguage>;
  isWrapped: boolean;
}

const hints: Partial<Record<CellType, string>> = { code: 'Write code here', sql: 'Write SQL here' };

function StaticSource({ id, type, label, language, isWrapped, isReadOnly }: StaticProps) {
  const { store, ui } = useNotebook();
  const source = useSignal(store, `cell:${id}`, () => store.sourceOf(id));
  const pieces = useMemo(() => highlighted(source, language), [source, language]);
  const pre = useRef<HTMLPreElement>(null);
  const isOnBoard = ui.revealer !== null;
  const write = (event: MouseEvent) => {
    if (event.button !== 0 || event.shiftKey || event.metaKey || event.ctrlKey) return;
    // On a board the same press may move the cell, so editing begins when the press is over.
    if (isOnBoard) {
      const cursor = pre.current ? selectionIn(pre.current) : null;
      return flushSync(() => ui.focus(id, 'edit', { cursor: cursor ?? 'end' }));
    }
    const place = event.currentTarget.parentElement;
    // The static text disappears before the browser puts a cursor into it, so the editor takes the same press.
    event.preventDefault();
    event.stopPropagation();
    const top = ui.scroller?.scrollTop ?? 0;
    flushSync(() => ui.focus(id, 'edit', { isPressed: true }));
    const content = place?.querySelector<HTMLElement>('.cm-content');
    // The editor is lower until it is measured, which would move everything at the end of the page.
    if (content) EditorView.findFromDOM(content)?.coordsAtPos(0);
    if (ui.scroller) ui.scroller.scrollTop = top;
    content?.dispatchEvent(new window.MouseEvent('mousedown', event.nativeEvent));
  };
  return (
    <figure
      className={classes.static}
      aria-label={label}
      data-wrapped={isWrapped || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by keyboard.
      tabIndex={0}
      onFocus={() => ui.getActive() !== id && ui.focus(id)}
      onMouseDown={isOnBoard ? undefined : write}
      onMouseUp={isOnBoard ? write : undefined}
    >
      <pre ref={pre} className={classes.code} data-hint={source === '' && !isReadOnly ? hints[type] : undefined}>
        {pieces.map((piece, index) =>
          piece.className ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no names.
            <span key={index} className={piece.className}>
              {piece.text}
            </span>
          ) : (
            piece.text
          ),
        )}
        {(source === '' || source.endsWith('\n')) && '\n'}
      </pre>
    </figure>
  );
}

/** The selected text, as positions in the source. */
function selectionIn(root: HTMLElement): { anchor: number; head: number } | null {
  const selection = getSelection();
  if (!selection?.anchorNode || !selection.focusNode) return null;
  if (!root.contains(selection.anchorNode) || !root.contains(selection.focusNode)) return null;
  const place = (node: Node, offset: number) => {
    const range = document.createRange();
    range.setStart(root, 0);
    range.setEnd(node, offset);
    return range.toString().length;
  };
  return {
    anchor: place(selection.anchorNode, selection.anchorOffset),
    head: place(selection.focusNode, selection.focusOffset),
  };
}
