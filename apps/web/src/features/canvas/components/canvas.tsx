import { useEffect, useState } from 'react';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import { CommentMarks } from '../../notebook/cells/comment-marks.tsx';
import { useNotebook, useNotebookMode, useSignal } from '../../notebook/notebook-context.tsx';
import { DeskDialogs, OpenPanels, PastOr, useOutputsPlace } from '../../notebook/page/desk.tsx';
import { type NotebookData, NotebookProvider } from '../../notebook/page/notebook-provider.tsx';
import { useAskedCell } from '../../notebook/page/use-asked-cell.ts';
import { Toolbar } from '../../notebook/toolbar/toolbar.tsx';
import { KeptTexts } from '../../notebook/unsent/kept-texts.tsx';
import { OutputsContext } from '../../outputs/outputs-context.tsx';
import { takeRunOnOpen } from '../../projects/run-on-open.ts';
import { Board } from '../board.ts';
import { boardCommands, boardKeys, showBoard } from '../commands.ts';
import { Dashboard } from '../dashboard.ts';
import { BoardView } from './board/board-view.tsx';
import { BoardContext } from './board-context.tsx';
import classes from './canvas.module.css';
import { DashboardPage } from './dashboard/dashboard-page.tsx';

/** A notebook as a board: the same cells, at the places where people have put them. */
export const Canvas = (notebook: NotebookData) => (
  <NotebookProvider {...notebook} commands={boardCommands}>
    <PastOr file={notebook.file}>
      <Desk />
    </PastOr>
  </NotebookProvider>
);

function Desk() {
  const { store, ui, fileId, projectId } = useNotebook();
  const [board] = useState(() => new Board({ store, ui, fileId }));
  const [dashboard] = useState(() => new Dashboard(store));
  const mode = useNotebookMode();
  const isGridOnly = useSignal(dashboard, 'tiles', () => dashboard.getTiles().length > 0) && mode !== 'edit';
  const place = useOutputsPlace();
  const lobby = useLobby();
  useAskedCell();
  useEffect(() => board.meet(lobby), [board, lobby]);
  useEffect(() => () => lobby?.board(null), [lobby]);
  useEffect(() => {
    ui.revealer = (id) => board.reveal(id);
    showBoard(board);
    return () => {
      showBoard(null);
      ui.revealer = null;
    };
  }, [ui, board]);
  useEffect(() => {
    if (takeRunOnOpen(projectId)) void store.runAll();
  }, [store, projectId]);
  // The dashboard, if there is one, is shown to viewers.
  if (isGridOnly)
    return (
      <BoardContext value={board}>
        <OutputsContext value={place}>
          <DashboardPage dashboard={dashboard} />
        </OutputsContext>
      </BoardContext>
    );
  return (
    <BoardContext value={board}>
      <div className={classes.canvas} data-notebook data-canvas>
        <Toolbar withMode={false} />
        <KeptTexts />
        <div className={classes.body}>
          <OutputsContext value={place}>
            <CommentMarks>
              <BoardView />
            </CommentMarks>
          </OutputsContext>
          <OpenPanels />
        </div>
        <DeskDialogs keys={boardKeys} />
      </div>
    </BoardContext>
  );
}
