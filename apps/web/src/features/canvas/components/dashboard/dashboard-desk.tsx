import { useState } from 'react';
import { useNotebook } from '../../../notebook/notebook-context.tsx';
import { useOutputsPlace } from '../../../notebook/page/desk.tsx';
import { type NotebookData, NotebookProvider } from '../../../notebook/page/notebook-provider.tsx';
import { OutputsContext } from '../../../outputs/outputs-context.tsx';
import { Board } from '../../board.ts';
import { Dashboard } from '../../dashboard.ts';
import { BoardContext } from '../board-context.tsx';
import { DashboardPage } from './dashboard-page.tsx';

/** A notebook as a dashboard, in a view of its own. */
export const DashboardDesk = (notebook: NotebookData) => (
  <NotebookProvider {...notebook}>
    <Desk />
  </NotebookProvider>
);

function Desk() {
  const { store, ui, fileId } = useNotebook();
  const [board] = useState(() => new Board({ store, ui, fileId }));
  const [dashboard] = useState(() => new Dashboard(store));
  const place = useOutputsPlace();
  return (
    <BoardContext value={board}>
      <OutputsContext value={place}>
        <DashboardPage dashboard={dashboard} />
      </OutputsContext>
    </BoardContext>
  );
}
