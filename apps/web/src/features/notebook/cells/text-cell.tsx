import type { EditorView } from '@codemirror/view';
import { UnstyledButton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { TextBar } from '../editor/text-bar.tsx';
import { newCellId } from '../model.ts';
import { useCell, useCellState, useNotebook } from '../notebook-context.tsx';
import classes from './cell.module.css';
import { useLockMark } from './cell-lock.ts';
import { CellSource } from './cell-source.tsx';

const RichText = lazyPart(() => import('../rich-text.tsx'), 'RichText');

interface TextCellProps {
  id: string;
  label: string;
  isReadOnly: boolean;
}

/** A text cell: rendered, or as its source while it is edited. */
export function TextCell({ id, label, isReadOnly }: TextCellProps) {
  const { store, ui } = useNotebook();
  const { isOpen } = useCellState(id);
  const lock = useLockMark(id);
  if (isOpen && !isReadOnly) {
    return (
      <div className={classes.source} {...lock}>
        <TextBar />
        <CellSource
          id={id}
          type="markdown"
          label={label}
          isReadOnly={false}
          onPaste={(event, view) => pastePicture(event, (file) => void attach(file, view))}
        />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with keys it is Enter, on the cell.
    <div className={classes.text} onDoubleClick={() => !isReadOnly && ui.focus(id, 'edit')}>
      <Read id={id} isReadOnly={isReadOnly} />
    </div>
  );

  /** Attaches the file to the notebook itself, as Jupyter does. */
  async function attach(file: File, view: EditorView) {
    const data = await base64Of(file);
    const name = `${file.name.replace(/[^\w.-]/g, '_').replace(/^image\.png$/, '') || `picture-${newCellId().slice(0, 6)}.png`}`;
    store.edit([{ op: 'update_cell_attachments', cell_id: id, attachments: { [name]: { [file.type]: data } } }]);
    view.dispatch(view.state.replaceSelection(`![](attachment:${name})`));
  }
}

function Read({ id, isReadOnly }: { id: string; isReadOnly: boolean }) {
  const { ui } = useNotebook();
  const { source = '', attachments = null } = useCell(id) ?? {};
  if (source.trim() === '')
    return isReadOnly ? null : (
      <UnstyledButton className={classes.placeholder} tabIndex={-1} onClick={() => ui.focus(id, 'edit')}>
        Write text here
      </UnstyledButton>
    );
  return (
    <Suspense fallback={<PlainText text={source} />}>
      <RichText text={source} attachments={attachments} />
    </Suspense>
  );
}

const PlainText = ({ text }: { text: string }) => <p style={{ whiteSpace: 'pre-wrap' }}>{text}</p>;

function pastePicture(event: ClipboardEvent, take: (file: File) => void): boolean {
  const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => /^image\/(png|jpe?g|gif|webp)$/.test(type));
  if (!file) return false;
  event.preventDefault();
  take(file);
  return true;
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
