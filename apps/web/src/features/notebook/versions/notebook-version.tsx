import type { Notebook } from '@atoll/contract';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { tilesOf } from '@atoll/notebook';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { RealtimeError } from '../../../platform/realtime/errors.ts';
import { CellList } from '../cells/cell-list.tsx';
import { TextsOf } from '../markdown/text-place.tsx';
import { NotebookContext, type OpenNotebook } from '../notebook-context.tsx';
import classes from '../page/notebook.module.css';
import { NotebookSkeleton } from '../page/notebook-skeleton.tsx';
import { notebookVersionQuery } from '../queries.ts';
import type { NotebookTopic } from '../store/connection.ts';
import { NotebookStore } from '../store.ts';
import { NotebookUi } from '../ui-state.ts';
import { BoardPicture, DashboardPicture } from './board-picture.tsx';
import { thingsOn } from './compare-boards.ts';

interface NotebookVersionProps {
  file: Pick<ProjectFile, 'id' | 'project_id' | 'name'>;
  /** Null: the last successful run. */
  versionId: string | null;
}

/** A read-only earlier version of a notebook. */
export function NotebookVersion({ file, versionId }: NotebookVersionProps) {
  const { data, error } = useQuery(notebookVersionQuery(file.project_id, file.id, versionId));
  const open = useMemo(() => data && reading(file, versionId, data), [file, versionId, data]);
  if (error) {
    const isNone = versionId === null && error instanceof ApiError && error.status === 404;
    return (
      <p role="alert" className={classes.notice}>
        {isNone ? 'No run of this notebook has succeeded yet. Use Run in background to start one.' : messageOf(error)}
      </p>
    );
  }
  if (!open) return <NotebookSkeleton />;
  return (
    <NotebookContext value={open}>
      <TextsOf file={file}>
        <div className={classes.notebook}>
          <div className={classes.body}>
            <CellList>{data && <AsBoard notebook={data} />}</CellList>
          </div>
        </div>
      </TextsOf>
    </NotebookContext>
  );
}

/** The canvas and the dashboard of the version, above the cells. */
function AsBoard({ notebook }: { notebook: Notebook }) {
  const hasBoard = thingsOn(notebook).length > 0;
  const hasTiles = tilesOf(notebook.cells, notebook.items).length > 0;
  return (
    <>
      {hasBoard && <BoardPicture notebook={notebook} label="Canvas of this version" />}
      {hasTiles && <DashboardPicture notebook={notebook} label="Dashboard of this version" />}
    </>
  );
}

function reading(file: NotebookVersionProps['file'], versionId: string | null, data: Notebook): OpenNotebook {
  const store = new NotebookStore({
    me: '',
    tag: '',
    notify: () => {},
    reload: () => {},
    schedule: (work) => work(),
  });
  store.load({ ...data, mode: 'view', locks: [], queue: [] });
  store.connected(asItWas(file, versionId), 'view');
  return { store, ui: new NotebookUi(store), projectId: file.project_id, fileId: file.id, name: file.name };
}

/** A topic without events: a version does not change, and it answers only requests for the rest of a cell's outputs. */
const asItWas = ({ project_id, id }: NotebookVersionProps['file'], versionId: string | null): NotebookTopic => ({
  send: (async (command: string, asked: { cell_id: string; from: number }) => {
    if (command !== 'get_cell_output') throw new RealtimeError('Read only.');
    const which = versionId === null ? { with_last_ok_run: true } : { version_id: versionId };
    return client.notebooks.outputs({ id: project_id, fileId: id, ...which, ...asked });
  }) as NotebookTopic['send'],
});
