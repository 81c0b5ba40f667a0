import { useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard } from '../board-context.tsx';
import classes from './board.module.css';

export function EmptyBoard() {
  const board = useBoard();
  const mode = useNotebookMode();
  const isEmpty = useSignal(board, 'things', () => board.getIds().length === 0);
  const hasCells = useSignal(board, 'unplaced', () => board.getUnplaced().length > 0);
  if (!isEmpty || hasCells) return null;
  return (
    <div className={classes.empty}>
      <h2>{mode === 'edit' ? 'Start your canvas' : 'This canvas is empty'}</h2>
      {mode === 'edit' && <p>Choose a tool below, double-click to write, or paste a picture.</p>}
    </div>
  );
}
