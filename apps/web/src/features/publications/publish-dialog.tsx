import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../platform/client.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { FormSkeleton } from '../../ui/form-parts.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { projectQuery } from '../projects/queries.ts';
import { PublicationStatus } from './components/publication-status.tsx';
import { PublishForm } from './components/publish-form.tsx';
import { RunFirstState } from './components/run-first-state.tsx';
import { isPublished } from './model.ts';
import { ofFileQuery } from './queries.ts';

interface PublishDialogProps {
  projectId: string;
  fileId: string;
  onClose(): void;
}

/** What readers get of a file: where, who, and which version. */
export function PublishDialog({ projectId, fileId, onClose }: PublishDialogProps) {
  const isNarrow = useIsNarrow();
  const { data, error } = useQuery(ofFileQuery(fileId));
  const project = useQuery(projectQuery(projectId));
  const publication = data?.publication ?? null;
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: api.publications.key() });
  // A run that publishing waited for has ended.
  useTopic('projectFiles', data?.run?.state === 'running' ? { projectId } : null, {
    on: { project_changed: ({ fields }) => fields.includes('publications') && reload() },
    onJoined: reload,
  });
  const problem = error ?? project.error;
  const isShown = publication !== null && isPublished(publication);
  // Published while the dialog is open: it ends on the link, also where a run came first.
  const [wasHidden, setWasHidden] = useState(false);
  if (data && !isShown && !wasHidden) setWasHidden(true);
  const isNew = isShown && wasHidden;
  return (
    <Modal opened onClose={onClose} title={publication ? 'Publication' : 'Publish'} size="lg" fullScreen={isNarrow}>
      {data && isNew ? (
        <Stack>
          <PublicationStatus publication={publication} fileId={fileId} hasChanges={data.has_changes} isNew />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setWasHidden(false)}>
              Edit details
            </Button>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : data && project.data ? (
        <Stack>
          {data.run && <RunFirstState projectId={projectId} run={data.run} publication={publication} />}
          {isShown && <PublicationStatus publication={publication} fileId={fileId} hasChanges={data.has_changes} />}
          <PublishForm
            // What was changed elsewhere in the dialog is in the form; what is being typed stays.
            key={publication ? `${publication.access_level} ${JSON.stringify(publication.payload)}` : 'new'}
            project={project.data}
            fileId={fileId}
            publication={publication}
            suggestedSlug={data.suggested_slug}
            contentKind={data.content_kind}
            types={data.types}
            isRunning={data.run?.state === 'running'}
            onClose={onClose}
          />
        </Stack>
      ) : (
        <FormSkeleton problem={problem} />
      )}
    </Modal>
  );
}
