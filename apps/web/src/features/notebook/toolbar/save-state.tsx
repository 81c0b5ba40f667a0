import { Tooltip } from '@mantine/core';
import { IconCheck, IconCloudOff, IconPointFilled } from '@tabler/icons-react';
import { useConnection } from '../../../platform/realtime/use-connection.ts';
import { useNotebookMode, useSaving } from '../notebook-context.tsx';
import classes from './toolbar.module.css';

/** Shows whether all edits are saved on the server. */
export function SaveState() {
  const saving = useSaving();
  const mode = useNotebookMode();
  const { isOpen } = useConnection();
  if (mode !== 'edit') return null;
  const version = `Version ${saving.version}${saving.versionName ? `, ${saving.versionName}` : ''}`;
  if (!saving.isDone && !isOpen) {
    return (
      <Tooltip label="Your changes are stored in this browser and saved when you are back online.">
        <span className={classes.save} data-problem role="status">
          <IconCloudOff size={15} aria-hidden /> <span>Not saved yet</span>
        </span>
      </Tooltip>
    );
  }
  return (
    <Tooltip label={saving.isDone ? `${version}. Every change is saved automatically.` : 'Saving'}>
      <span className={classes.save} role="status">
        {saving.isDone ? <IconCheck size={15} aria-hidden /> : <IconPointFilled size={15} aria-hidden />}
        <span className={classes.savedWord}>{saving.isDone ? 'Saved' : 'Saving…'}</span>
      </span>
    </Tooltip>
  );
}
