import type { ProjectFile } from '@atoll/contract/files/entity';
import { useEffect } from 'react';
import { OutputsContext } from '../../outputs/outputs-context.tsx';
import { takeRunOnOpen } from '../../projects/run-on-open.ts';
import { CellList } from '../cells/cell-list.tsx';
import { CommentMarks } from '../cells/comment-marks.tsx';
import { commands } from '../commands.ts';
import { useNotebook } from '../notebook-context.tsx';
import { Toolbar } from '../toolbar/toolbar.tsx';
import { KeptTexts } from '../unsent/kept-texts.tsx';
import { DeskDialogs, OpenPanels, PastOr, useOutputsPlace, useWhereabouts } from './desk.tsx';
import classes from './notebook.module.css';
import { type NotebookData, NotebookProvider } from './notebook-provider.tsx';
import { useAskedCell } from './use-asked-cell.ts';
import { useKeys } from './use-keys.ts';

/** A notebook as a list of cells. */
export const Notebook = (notebook: NotebookData) => (
  <NotebookProvider {...notebook} commands={commands}>
    <AskedOr file={notebook.file} />
  </NotebookProvider>
);

function AskedOr({ file }: { file: ProjectFile }) {
  useAskedCell();
  return (
    <PastOr file={file}>
      <Desk />
    </PastOr>
  );
}

/** The toolbar, the cells and what is open beside them; takes the keys of all of it. */
function Desk() {
  const { ui, store, projectId } = useNotebook();
  const onKeys = useKeys();
  const place = useOutputsPlace();
  useWhereabouts();
  useEffect(() => {
    const [first] = store.getOrder();
    if (ui.getActive() === null && first && matchMedia('(min-width: 48em)').matches) ui.focus(first);
  }, [ui, store]);
  useEffect(() => {
    if (takeRunOnOpen(projectId)) void store.runAll();
  }, [store, projectId]);
  return (
    <div className={classes.notebook} data-notebook onKeyDownCapture={onKeys}>
      <Toolbar />
      <KeptTexts />
      <div className={classes.body}>
        <div data-keys style={{ display: 'contents' }}>
          <OutputsContext value={place}>
            <CommentMarks>
              <CellList />
            </CommentMarks>
          </OutputsContext>
        </div>
        <OpenPanels />
      </div>
      <DeskDialogs />
    </div>
  );
}
