import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconPointFilled } from '@tabler/icons-react';
import { useDocument, useSaveState } from './documents.ts';
import classes from './save-mark.module.css';

/** Shows whether the text on the screen is saved on the server. */
export function SaveMark({ file }: { file: ProjectFile }) {
  const document = useDocument(file).data;
  const state = useSaveState(document);
  useHotkeys([['mod+S', () => void document?.save({ isManual: true })]], []);
  if (!document) return null;
  if (state.kind === 'failed') {
    return (
      <span className={classes.save} data-problem role="alert">
        <Tooltip label={state.reason} multiline maw={320}>
          <span className={classes.save}>
            <IconAlertTriangle size={15} aria-hidden /> <span className={classes.word}>Not saved</span>
            <span className={classes.reason}>: {state.reason}</span>
          </span>
        </Tooltip>
        <Button size="compact-xs" variant="default" onClick={() => void document.save({ isManual: true })}>
          Try again
        </Button>
      </span>
    );
  }
  if (state.kind === 'conflict' || state.kind === 'held') {
    return (
      <span className={classes.save} data-problem role="alert">
        <IconAlertTriangle size={15} aria-hidden /> Not saved
        {state.kind === 'conflict' && <span className={classes.reason}>: newer version exists</span>}
      </span>
    );
  }
  return (
    <span className={classes.save} role="status">
      {state.kind === 'saved' ? <IconCheck size={15} aria-hidden /> : <IconPointFilled size={15} aria-hidden />}
      <span className={classes.word}>
        {state.kind === 'saved' ? 'Saved' : state.kind === 'saving' ? 'Saving…' : 'Editing'}
      </span>
    </span>
  );
}
