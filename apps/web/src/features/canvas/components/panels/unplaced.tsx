import { Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { typeWords } from '../../../notebook/cells/cell.tsx';
import { useCell, useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { putOnBoard } from '../../actions.ts';
import { useBoard } from '../board-context.tsx';
import classes from './panels.module.css';

/** Cells of the notebook that have no place on the board. */
export function Unplaced() {
  const board = useBoard();
  const mode = useNotebookMode();
  const ids = useSignal(board, 'unplaced', board.getUnplaced);
  if (ids.length === 0) return null;
  return (
    <aside className={classes.unplaced} aria-label="Cells not on the canvas" data-no-board>
      <div className={classes.unplacedHead}>
        <span>Not on the canvas ({ids.length})</span>
        {mode === 'edit' && ids.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={() => putOnBoard(board, ids)}>
            Add all
          </Button>
        )}
      </div>
      <ul>
        {ids.slice(0, 100).map((id) => (
          <li key={id}>
            <UnplacedCell id={id} isEditable={mode === 'edit'} />
          </li>
        ))}
      </ul>
    </aside>
  );
}

function UnplacedCell({ id, isEditable }: { id: string; isEditable: boolean }) {
  const board = useBoard();
  const cell = useCell(id);
  if (!cell) return null;
  const line = cell.source.split('\n').find((each) => each.trim() !== '') ?? 'Empty';
  return (
    <UnstyledButton
      className={classes.unplacedCell}
      disabled={!isEditable}
      aria-label={`Add ${typeWords[cell.type]} cell to the canvas: ${line}`}
      onClick={() => putOnBoard(board, [id])}
    >
      <span>{typeWords[cell.type]}</span>
      <code>{line}</code>
      {isEditable && <IconPlus size={13} aria-hidden />}
    </UnstyledButton>
  );
}
