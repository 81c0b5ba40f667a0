import type { FileVersion, ProjectFile } from '@atoll/contract/files/entity';
import { Button, Modal, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import editor from '../../../ui/editor/editor.module.css';
import { toast, toastError } from '../../../ui/toast.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { relativeTime } from '../../../ui/when.tsx';
import { versionUrl } from '../addresses.ts';
import { readTextAt } from '../content.ts';
import { keepFile } from '../documents.ts';
import { Compare, TextSkeleton } from '../lazy-editor.tsx';
import classes from './versions-dialog.module.css';

interface VersionsDialogProps {
  file: ProjectFile;
  versions: FileVersion[];
  first: FileVersion;
  canEdit: boolean;
  onClose(): void;
}

/** Two versions side by side; the left one can be restored. */
export function VersionsDialog({ file, versions, first, canEdit, onClose }: VersionsDialogProps) {
  const isNarrow = useIsNarrow();
  const newest = versions[0] ?? first;
  // The newest version is compared with the one before it, every other one with the newest.
  const before = versions[1] ?? first;
  const [leftId, setLeft] = useState(first.id === newest.id ? before.id : first.id);
  const [rightId, setRight] = useState(newest.id);
  const find = (id: string) => versions.find((version) => version.id === id) ?? newest;
  const [left, right] = [find(leftId), find(rightId)];
  const restore = useRestoreVersion(file, onClose);
  const own = useDocumentKind(file.name)?.versions;
  const [isReading, setReading] = useState(false);
  const data = versions.map((version) => ({ value: version.id, label: titleOf(version) }));
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Versions of ${file.name}`}
      size="90%"
      fullScreen={isNarrow}
      classNames={{ body: classes.body, content: classes.content }}
    >
      <div className={editor.heads}>
        <div className={classes.side}>
          <NativeSelect
            aria-label="Left version"
            size="xs"
            data={data}
            value={leftId}
            onChange={(event) => setLeft(event.currentTarget.value)}
          />
          {canEdit && left.id !== newest.id && (
            <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate(left)}>
              Restore this version
            </Button>
          )}
        </div>
        <div className={classes.side}>
          <NativeSelect
            aria-label="Right version"
            size="xs"
            data={data}
            value={rightId}
            onChange={(event) => setRight(event.currentTarget.value)}
          />
          {own && (
            <SegmentedControl
              size="xs"
              aria-label="View"
              value={isReading ? 'read' : 'compare'}
              onChange={(value) => setReading(value === 'read')}
              data={[
                { value: 'compare', label: 'Compare' },
                { value: 'read', label: 'Left version only' },
              ]}
            />
          )}
        </div>
      </div>
      <div className={classes.texts}>
        <Suspense fallback={<TextSkeleton />}>
          {own && isReading ? (
            <own.read key={left.id} file={file} versionId={left.id} />
          ) : own ? (
            <own.compare file={file} leftId={left.id} rightId={right.id} />
          ) : (
            <Texts file={file} left={left} right={right} />
          )}
        </Suspense>
      </div>
    </Modal>
  );
}

function Texts({ file, left, right }: { file: ProjectFile; left: FileVersion; right: FileVersion }) {
  const texts = [useVersionText(left), useVersionText(right)] as const;
  const error = texts[0].error ?? texts[1].error;
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (texts[0].data === undefined || texts[1].data === undefined) return <TextSkeleton />;
  return (
    <Compare
      name={file.name}
      left={texts[0].data}
      right={texts[1].data}
      leftLabel={titleOf(left)}
      rightLabel={titleOf(right)}
    />
  );
}

const titleOf = ({ name, version, revisioned_at, author }: FileVersion): string =>
  `${name ?? `Version ${version}`}, ${author?.user_name ?? 'a deleted user'}, ${relativeTime(new Date(revisioned_at), new Date())}`;

const useVersionText = (version: FileVersion) =>
  useQuery({
    queryKey: ['version-text', version.id, version.version],
    queryFn: () => readTextAt(versionUrl(version)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

function useRestoreVersion(file: ProjectFile, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: FileVersion) =>
      client.files.restoreVersion({ id: file.project_id, fileId: file.id, versionId: id }),
    onSuccess: (restored, version) => {
      keepFile(queryClient, restored);
      toast(`${version.name ?? `Version ${version.version}`} restored as the newest version.`);
      onDone();
    },
    onError: (error) => toastError(error, 'Could not restore the version'),
  });
}
