import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { droppedFolder, filesOf } from '../files/dropped.ts';
import { treeQuery } from '../files/queries.ts';
import { startUploads } from '../files/uploads.ts';
import classes from './drop-zone.module.css';
import { toastProjectError, useCreateFromFile } from './mutations.ts';

/** A folder, a notebook, a table or a zip dropped anywhere on the page becomes a project. */
export function DropZone({ children }: { children: ReactNode }) {
  const { create, createFromFile } = useCreateFromFile();
  const queryClient = useQueryClient();
  const [state, setState] = useState<'idle' | 'over' | 'sending'>('idle');
  // Every child that is entered or left on the way says so; only the balance counts.
  const depth = useRef(0);
  const isFile = (event: DragEvent) => event.dataTransfer.types.includes('Files');

  /** The folder becomes the project; its files follow while the project is open already. */
  const makeOf = async (folder: FileSystemEntry) => {
    setState('sending');
    try {
      const files = (await filesOf(folder)).map(({ name, content }) => ({
        name: name.slice(folder.name.length + 1),
        content,
      }));
      if (!files.length) throw new Error(`“${folder.name}” contains no files.`);
      const { id } = await create.mutateAsync({ name: folder.name.slice(0, 120) });
      const { queryKey } = treeQuery(id);
      startUploads(id, '', files, () => void queryClient.invalidateQueries({ queryKey }));
    } catch (error) {
      toastProjectError(error, 'Could not create the project');
    }
    setState('idle');
  };

  const drop = async (event: DragEvent) => {
    if (!isFile(event)) return;
    event.preventDefault();
    depth.current = 0;
    const folder = droppedFolder(event.dataTransfer);
    if (folder) return makeOf(folder);
    const file = event.dataTransfer.files[0];
    if (!file) return setState('idle');
    setState('sending');
    await createFromFile(file).catch((error) => toastProjectError(error, 'Could not create the project'));
    setState('idle');
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is a shortcut; the dialog has a button for it.
    <div
      onDragEnter={(event) => {
        if (!isFile(event)) return;
        depth.current += 1;
        setState('over');
      }}
      onDragLeave={(event) => {
        if (!isFile(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) setState('idle');
      }}
      onDragOver={(event) => isFile(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {state !== 'idle' && (
        <div className={classes.veil} role="status">
          <IconUpload size={24} stroke={1.6} aria-hidden />
          {state === 'over' ? 'Drop a folder, a notebook, a table or a zip to create a project' : 'Creating project…'}
        </div>
      )}
    </div>
  );
}
