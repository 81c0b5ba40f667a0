import type { FileVersion, ProjectFile } from '@atoll/contract/files/entity';
import { ActionIcon, Button, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api } from '../../../platform/client.ts';
import { isTextEditable } from '../../../platform/features/document-kind.ts';
import type { PanelProps } from '../../../platform/features/panel.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { getOpenNotebook, onOpenNotebook } from '../../notebook/open.ts';
import { useDocument } from '../documents.ts';
import { VersionsDialog } from '../lazy-versions.ts';
import { formatSize } from '../model.ts';
import { versionsQuery } from '../queries.ts';
import classes from './versions.module.css';

export const VersionsPanel = ({ file, ...props }: PanelProps) =>
  file && <Versions key={file.id} file={file} {...props} />;

function Versions({
  file,
  canEdit,
  isNarrow,
  onClose,
}: Omit<PanelProps, 'project' | 'onOpen'> & { file: ProjectFile }) {
  const kind = useDocumentKind(file.name);
  const query = useInfiniteQuery(versionsQuery(file.project_id, file.id));
  const versions = query.data?.pages.flatMap(({ entries }) => entries);
  const [compared, setCompared] = useState<FileVersion | null>(null);
  return (
    <>
      {!isNarrow && (
        <div className={classes.head}>
          <h2>Versions of {file.name}</h2>
          <ActionIcon size={24} aria-label="Close version history" onClick={onClose}>
            <IconX size={15} />
          </ActionIcon>
        </div>
      )}
      {canEdit && isTextEditable(kind, file) && <NameForm file={file} />}
      <ol className={classes.list} aria-label="Versions">
        {query.error && <li role="alert">{messageOf(query.error)}</li>}
        {!versions && !query.error && [1, 2, 3].map((row) => <Skeleton key={row} height={36} mb={8} />)}
        {versions?.map((version, index) => (
          <li key={version.id}>
            <UnstyledButton className={classes.version} onClick={() => setCompared(version)}>
              <strong>
                {version.name ?? `Version ${version.version}`}
                {index === 0 && ' (now)'}
              </strong>
              <span>
                {version.author?.user_name ?? 'Deleted user'}, <When time={version.revisioned_at} /> ·{' '}
                {formatSize(version.size)}
              </span>
            </UnstyledButton>
          </li>
        ))}
        {query.hasNextPage && (
          <li>
            <MoreButton list={query} size="xs" variant="subtle" fullWidth>
              Show older versions
            </MoreButton>
          </li>
        )}
      </ol>
      {compared && versions && (
        <Suspense>
          <VersionsDialog
            file={file}
            versions={versions}
            first={compared}
            canEdit={canEdit}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Names a version of a notebook through its own topic, because a notebook is not saved as text. */
function NameForm({ file }: { file: ProjectFile }) {
  const notebook = useSyncExternalStore(onOpenNotebook, getOpenNotebook)?.notebook;
  const queryClient = useQueryClient();
  if (notebook?.fileId !== file.id) return <NameText file={file} />;
  return (
    <NameField
      onName={async (name) => {
        const { store } = notebook;
        store.flush();
        await store.must().send('save_version', { name });
        // The list shows it at once, even before the live connection of the file is open.
        await queryClient.invalidateQueries({ queryKey: api.files.versions.key({ input: { fileId: file.id } }) });
      }}
    />
  );
}

function NameText({ file }: { file: ProjectFile }) {
  const document = useDocument(file).data;
  return <NameField onName={document && (async (name) => void (await document.name(name)))} />;
}

function NameField({ onName }: { onName: ((name: string) => Promise<void>) | undefined }) {
  const form = useForm({
    initial: { version_name: '' },
    checks: { version_name: required('A name') },
    submit: async ({ version_name }) => {
      await onName?.(version_name.trim());
      form.set('version_name', '');
      toast('Version named.');
    },
  });
  const { onBlur: _, ...field } = form.text('version_name');
  return (
    <form onSubmit={form.send} noValidate className={classes.name}>
      <TextInput
        label="Name this version"
        placeholder="Before the review"
        size="xs"
        maxLength={120}
        {...field}
        error={field.error ?? form.problem?.message}
      />
      <Button type="submit" size="xs" variant="default" loading={form.pending} disabled={!onName}>
        Save version
      </Button>
    </form>
  );
}
