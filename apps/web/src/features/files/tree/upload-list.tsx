import '@mantine/core/styles/Progress.layer.css';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { formatSize } from '../model.ts';
import { allUploads, cancelUpload, clearUploads, onUploads, retryUpload, type Upload } from '../uploads.ts';
import classes from './files-panel.module.css';

export function UploadList({ projectId }: { projectId: string }) {
  const uploads = useSyncExternalStore(onUploads, allUploads).filter((upload) => upload.projectId === projectId);
  if (!uploads.length) return null;
  const left = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const shown = inOrder(uploads).slice(0, mostShown);
  return (
    <section aria-label="Uploads" className={classes.uploads}>
      <div className={classes.uploadsHead}>
        <span role="status">{summary(uploads, left, failed)}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={left > 0}
          onClick={() => clearUploads(projectId)}
        >
          Clear
        </Button>
      </div>
      <ul>
        {shown.map((upload) => (
          <UploadRow key={upload.id} {...upload} />
        ))}
      </ul>
      {uploads.length > shown.length && (
        <div className={classes.amount}>and {(uploads.length - shown.length).toLocaleString('en')} more</div>
      )}
    </section>
  );
}

/** A folder may have thousands of uploads, so the list is limited, with failed and active ones first. */
const mostShown = 50;
const interest: Upload['state'][] = ['failed', 'sending', 'waiting', 'done'];

const inOrder = (uploads: readonly Upload[]): Upload[] =>
  uploads.length <= mostShown
    ? [...uploads]
    : uploads.toSorted((a, b) => interest.indexOf(a.state) - interest.indexOf(b.state));

function summary(uploads: readonly Upload[], left: number, failed: number): string {
  if (uploads.some(({ isOffline }) => isOffline)) return 'Waiting for the connection…';
  const done = uploads.length - left - failed;
  if (left) return `Uploading ${left} of ${uploads.length}`;
  return failed ? `${done} uploaded, ${failed} failed` : `${done} uploaded`;
}

function UploadRow({ id, path, size, sent, state, isOffline, problem }: Upload) {
  const share = size ? (sent / size) * 100 : state === 'done' ? 100 : 0;
  return (
    <li className={classes.upload}>
      <div className={classes.uploadLine}>
        <span className={classes.uploadName} title={path}>
          {path}
        </span>
        <span className={classes.amount}>
          {state === 'sending' ? `${formatSize(sent)} of ${formatSize(size)}` : formatSize(size)}
        </span>
        {state === 'done' && <IconCheck size={15} role="img" aria-label="Done" />}
        {state === 'failed' && (
          <ActionIcon size={22} aria-label={`Try ${path} again`} onClick={() => retryUpload(id)}>
            <IconRefresh size={14} />
          </ActionIcon>
        )}
        {state !== 'done' && (
          <ActionIcon
            size={22}
            aria-label={state === 'failed' ? `Dismiss ${path}` : `Cancel ${path}`}
            onClick={() => cancelUpload(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {state === 'failed' ? (
        <div className={classes.problem} role="alert">
          {problem}
        </div>
      ) : (
        state !== 'done' && <Progress value={share} size={4} aria-label={`Upload of ${path}`} />
      )}
      {isOffline && <div className={classes.amount}>Waiting for the connection</div>}
    </li>
  );
}
