import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import editor from '../../../ui/editor/editor.module.css';
import { toastError } from '../../../ui/toast.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { readText } from '../content.ts';
import { Compare, TextSkeleton } from '../lazy-editor.tsx';
import classes from '../versions/versions-dialog.module.css';
import type { OpenDocument } from './document.ts';

/** Compares the saved text with the text typed here before another person took over. */
export function UnsavedDialog({ document, onClose }: { document: OpenDocument; onClose(): void }) {
  const isNarrow = useIsNarrow();
  const [mine] = useState(document.text);
  const { project_id: id, id: fileId, name } = document.file;
  const saved = useQuery({
    queryKey: ['saved-text', fileId],
    queryFn: async () => readText(await client.files.get({ id, fileId })),
    staleTime: 0,
    gcTime: 0,
  });
  const discard = () =>
    document.discard().then(onClose, (error: unknown) => toastError(error, 'Could not load the saved version'));
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Unsaved changes in ${name}`}
      size="90%"
      fullScreen={isNarrow}
      classNames={{ body: classes.body, content: classes.content }}
    >
      <div className={editor.heads}>
        <span>Saved</span>
        <span>Yours, not saved</span>
      </div>
      <div className={classes.texts}>
        {saved.error ? (
          <p role="alert">{messageOf(saved.error)}</p>
        ) : saved.data === undefined ? (
          <TextSkeleton />
        ) : (
          <Suspense fallback={<TextSkeleton />}>
            <Compare name={name} left={saved.data} right={mine} leftLabel="Saved text" rightLabel="Your text" />
          </Suspense>
        )}
      </div>
      <Group p="sm" justify="flex-end">
        <Button size="xs" variant="default" onClick={discard}>
          Discard mine
        </Button>
        <CopyButton value={mine} label="Copy my text" />
      </Group>
    </Modal>
  );
}
