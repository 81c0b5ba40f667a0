import { runs } from '@atoll/notebook';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconMessage } from '@tabler/icons-react';
import { type MouseEvent, memo, Suspense, useEffect, useRef } from 'react';
import { toggleCollapsed } from '../actions.ts';
import { InputCell } from '../inputs/input-cell.tsx';
import { isCollapsed, themeOf } from '../model.ts';
import {
  useCell,
  useCellFrame,
  useCellState,
  useNotebook,
  useNotebookMode,
  usePointed,
  useSignal,
} from '../notebook-context.tsx';
import { Question } from '../page/question.tsx';
import classes from './cell.module.css';
import { CellGutter } from './cell-gutter.tsx';
import { useLockMark } from './cell-lock.ts';
import { CellMeta } from './cell-meta.tsx';
import { CellOutputs } from './cell-outputs.tsx';
import { CellSource } from './cell-source.tsx';
import { CellTools } from './cell-tools.tsx';
import { CommentMark } from './comment-marks.tsx';
import { InsertBar } from './insert-bar.tsx';
import { SqlBar } from './sql-bar.tsx';
import { TextCell } from './text-cell.tsx';
import { useCellParts } from './use-cell-parts.ts';

export const typeWords = { code: 'Code', markdown: 'Text', raw: 'Raw', sql: 'SQL', input: 'Input' } as const;

/** One cell: its source and its outputs. */
export const Cell = memo(function Cell({ id, number }: { id: string; number: number }) {
  const { store, ui } = useNotebook();
  const cell = useCellFrame(id);
  const { isActive, isEditing, isSelected } = useCellState(id);
  const mode = useNotebookMode();
  const element = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isActive || isEditing || !element.current) return;
    const within = ui.scroller?.closest('[data-notebook]');
    const focused = document.activeElement;
    const isHere =
      focused === document.body || within?.contains(focused) || focused?.closest('[data-document-panel]') != null;
    // A scrollable element inside of the cell may keep the focus and its keys.
    const isInside =
      element.current.contains(focused) &&
      (isControl(focused) || focused?.matches('figure')) &&
      !focused?.closest('.cm-editor');
    if (isHere && !isInside) element.current.focus({ preventScroll: true });
    if (!ui.isPressed) element.current.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [isActive, isEditing, ui]);

  if (!cell) return null;
  const label = `Cell ${number}, ${typeWords[cell.type]}`;
  const select = (event: MouseEvent) => {
    if (isEditing || isControl(event.target as Element)) return;
    if (!isActive || event.shiftKey) ui.focus(id, 'command', { isExtending: event.shiftKey, isPressed: true });
  };
  const isFolded = isCollapsed(cell, 'source');
  return (
    <article
      ref={element}
      className={classes.cell}
      aria-label={label}
      data-cell={id}
      data-type={cell.type}
      data-active={isActive || undefined}
      data-selected={isSelected || isActive || undefined}
      data-mode={isActive ? (isEditing ? 'edit' : 'command') : undefined}
      tabIndex={isActive ? 0 : -1}
      onMouseDown={select}
    >
      <CellGutter id={id} cell={cell} />
      <div className={classes.content} data-theme={themeOf(cell) ?? undefined}>
        {isFolded ? (
          <UnstyledButton
            className={classes.folded}
            onClick={() => toggleCollapsed({ store, ui }, 'source', [id], false)}
            aria-label={`Show source of cell ${number}`}
          >
            <IconChevronRight size={14} aria-hidden />
            <FirstLine id={id} />
          </UnstyledButton>
        ) : cell.type === 'markdown' ? (
          <TextCell id={id} label={label} isReadOnly={mode !== 'edit'} />
        ) : cell.type === 'input' ? (
          <InputCell id={id} cell={cell} mode={mode} />
        ) : (
          <Written id={id} label={label} />
        )}
        {mode === 'edit' && <AddedPart id={id} />}
        <Question id={id} />
        <CellOutputs id={id} isFolded={isCollapsed(cell, 'outputs')} />
        {runs(cell.type) && <CellMeta id={id} isQuiet={cell.type === 'input'} />}
        <CellTools id={id} cell={cell} number={number} />
        <CommentMark id={id} number={number} className={classes.comments}>
          <IconMessage size={13} stroke={1.6} aria-hidden />
        </CommentMark>
      </div>
      {mode === 'edit' && <InsertBelow id={id} />}
    </article>
  );
});

/** A part that another feature shows in the cell. */
function AddedPart({ id }: { id: string }) {
  const { ui } = useNotebook();
  const partId = useSignal(ui, `part:${id}`, () => ui.cellPartOf(id));
  return partId ? <CellPartView id={id} partId={partId} /> : null;
}

function CellPartView({ id, partId }: { id: string; partId: string }) {
  const { ui } = useNotebook();
  const part = useCellParts().find((each) => each.id === partId);
  if (!part) return null;
  return (
    <Suspense>
      <part.component cellId={id} onClose={() => ui.showCellPart(id, null)} />
    </Suspense>
  );
}

function InsertBelow({ id }: { id: string }) {
  const isPointed = usePointed(id);
  const { isActive } = useCellState(id);
  return isPointed || isActive ? <InsertBar afterId={id} /> : null;
}

const FirstLine = ({ id }: { id: string }) => <span>{useCell(id)?.source.split('\n')[0] || 'Empty'}</span>;

/** A cell with only a text: code, SQL, raw. */
export function Written({ id, label }: { id: string; label: string }) {
  const cell = useCellFrame(id);
  const mode = useNotebookMode();
  const lock = useLockMark(id);
  if (!cell) return null;
  return (
    <div className={classes.source} {...lock}>
      {cell.type === 'sql' && <SqlBar id={id} cell={cell} isReadOnly={mode !== 'edit'} />}
      <CellSource id={id} type={cell.type} label={label} isReadOnly={mode !== 'edit'} />
    </div>
  );
}

export const isControl = (element: Element | null): boolean =>
  element?.closest('button, input, textarea, select, a, [role="slider"], [contenteditable="true"], iframe') != null;
