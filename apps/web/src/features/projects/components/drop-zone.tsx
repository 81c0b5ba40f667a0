import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { putContent } from '../../../platform/put-content.ts';
import { toastError } from '../../../ui/toast.ts';
import { toastProjectError, useCreateProject } from '../mutations.ts';
import classes from './drop-zone.module.css';

/** A notebook or a zip dropped anywhere on the page becomes a project. */
export function DropZone({ children }: { children: ReactNode }) {
  const create = useCreateProject();
  const [state, setState] = useState<'idle' | 'over' | 'sending'>('idle');
  // Every child that is entered or left on the way says so; only the balance counts.
  const depth = useRef(0);
  const isFile = (event: DragEvent) => event.dataTransfer.types.includes('Files');

  const drop = async (event: DragEvent) => {
    if (!isFile(event)) return;
    event.preventDefault();
    depth.current = 0;
    const file = event.dataTransfer.files[0];
    if (!file || !/\.(ipynb|zip)$/i.test(file.name)) {
      setState('idle');
      return toastError(new Error('Drop a notebook (.ipynb) or a .zip. Other files go into a project.'));
    }
    setState('sending');
    try {
      const upload_id = await putContent(file, file.name);
      await create.mutateAsync({ upload_id, name: file.name.replace(/\.[^.]+$/, '').slice(0, 120) || 'Untitled' });
    } catch (error) {
      toastProjectError(error, 'The project was not made');
    }
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
          {state === 'over' ? 'Drop a notebook or a zip to make a project of it' : 'Your project is being made…'}
        </div>
      )}
    </div>
  );
}
