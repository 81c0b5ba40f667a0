import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { toastError } from '../../../ui/toast.ts';
import { treeQuery } from '../../files/queries.ts';
import { refreshLists } from '../../projects/mutations.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useNotebook, useNotebookMode, useOrder, useSignal } from '../notebook-context.tsx';
import { type KeptText, mayNotWrite } from '../store/kept.ts';
import classes from './kept.module.css';
import { KeptFigure } from './kept-figure.tsx';
import { leaveUnsent } from './unsent.ts';

/** Texts that a person wrote and the server refused; they stay here until the person has put them elsewhere. */
export function KeptTexts() {
  const { store } = useNotebook();
  const kept = useSignal(store, 'kept', store.getKept);
  const mode = useNotebookMode();
  const why = kept.at(-1)?.why;
  if (why === undefined) return null;
  return (
    <section className={classes.kept} role="alert" aria-label="Unsaved changes">
      <p className={classes.why}>
        <IconAlertTriangle size={16} aria-hidden />
        {/* They may again. */ mode === 'edit' && why === mayNotWrite ? '' : `${why} `}
        These changes are not saved in the notebook:
      </p>
      {kept.map((each) => (
        <Kept key={`${each.cellId} ${each.text}`} kept={each} />
      ))}
      <OpenCopy kept={kept} />
    </section>
  );
}

function Kept({ kept }: { kept: KeptText }) {
  const { store } = useNotebook();
  const mode = useNotebookMode();
  const number = useOrder().indexOf(kept.cellId) + 1;
  return (
    <KeptFigure caption={number > 0 ? `Cell ${number}` : 'New cell'} text={kept.text}>
      {mode === 'edit' && (
        <Button size="xs" variant="default" onClick={() => store.putBack(kept)}>
          Insert into notebook
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={() => store.forget(kept)}>
        Discard
      </Button>
    </KeptFigure>
  );
}

/** Opens a copy of the project for this person, with the kept texts in its cells. */
function OpenCopy({ kept }: { kept: KeptText[] }) {
  const { store, projectId, fileId } = useNotebook();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const { data: project } = useQuery(projectQuery(projectId));
  if (!project?.permissions.includes('clone')) return null;
  const open = async () => {
    const { files } = await queryClient.fetchQuery(treeQuery(projectId));
    const path = files.find(({ id }) => id === fileId)?.path;
    const made = await client.projects.clone({ id: projectId });
    const copies = await queryClient.fetchQuery(treeQuery(made.id));
    const copy = copies.files.find((each) => each.path === path);
    if (!copy) throw new Error('The copy does not contain this notebook.');
    const items = kept.map(({ cellId, over, text }) => ({
      operations: [{ op: 'update_cell_source' as const, cell_id: cellId, source: text }],
      over: [[cellId, over]] as [string, string][],
      typedIn: cellId,
    }));
    leaveUnsent({ me: store.options.me, projectId: made.id, fileId: copy.id }, { items, kept: [] });
    for (const each of kept) store.forget(each);
    void refreshLists(queryClient);
    await router.navigate({ to: '/projects/$projectId', params: { projectId: made.id }, search: { file: copy.id } });
  };
  return (
    <Button
      size="xs"
      loading={isBusy}
      onClick={() => {
        setBusy(true);
        open()
          .catch((error: unknown) => toastError(error, 'Could not clone the project'))
          .finally(() => setBusy(false));
      }}
    >
      Open a copy with these changes
    </Button>
  );
}
