import type { Artifact } from '@atoll/contract/artifacts/endpoints';
import { ActionIcon, Skeleton, Tooltip, UnstyledButton } from '@mantine/core';
import { IconDownload, IconTrash, IconX } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import type { PanelProps } from '../../../platform/features/panel.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import side from '../../../ui/styles/side-panel.module.css';
import { When } from '../../../ui/when.tsx';
import { formatSize } from '../../files/model.ts';
import { treeQuery } from '../../files/queries.ts';
import { useDeleteArtifact } from '../mutations.ts';
import { artifactsQuery, artifactUrl } from '../queries.ts';
import classes from './artifacts.module.css';

/** Files that code has written, as each run left them. */
export function ArtifactsPanel({ project, canEdit, isNarrow, onOpen, onClose }: PanelProps) {
  const canOpen = project.permissions.includes('view_source');
  const { dataUpdatedAt } = useQuery({ ...treeQuery(project.id), enabled: canOpen });
  const list = useInfiniteQuery(artifactsQuery(project.id, dataUpdatedAt));
  const artifacts = list.data?.pages.flatMap(({ entries }) => entries);
  return (
    <div className={side.panel}>
      {!isNarrow && (
        <div className={side.head}>
          <h2>Artifacts</h2>
          <ActionIcon size={24} aria-label="Close artifacts" onClick={onClose}>
            <IconX size={15} />
          </ActionIcon>
        </div>
      )}
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {!artifacts && !list.error && [1, 2, 3].map((row) => <Skeleton key={row} height={36} mb={8} />)}
      {artifacts?.length === 0 && <NothingHere>No artifacts yet. Files written by your code, per run.</NothingHere>}
      <ul className={classes.list} aria-label="Artifacts">
        {artifacts?.map((artifact) => (
          <ArtifactLine
            key={artifact.id}
            projectId={project.id}
            artifact={artifact}
            canDelete={canEdit}
            onOpen={canOpen && !artifact.file.is_deleted ? () => onOpen(artifact.file.id) : undefined}
          />
        ))}
      </ul>
      <MoreButton list={list} size="xs" />
    </div>
  );
}

interface ArtifactLineProps {
  projectId: string;
  artifact: Artifact;
  canDelete: boolean;
  onOpen: (() => void) | undefined;
}

const icon = { size: 15, stroke: 1.6 };

function ArtifactLine({ projectId, artifact, canDelete, onOpen }: ArtifactLineProps) {
  const { id, file, run, size, created_at } = artifact;
  const origin = run ? `Run ${run.number}` : 'Notebook';
  const remove = useDeleteArtifact(projectId);
  const [isSure, setSure] = useState(false);
  const words = isSure ? 'Delete permanently' : 'Delete';
  return (
    <li>
      <div className={classes.words}>
        {onOpen ? (
          <UnstyledButton className={classes.name} onClick={onOpen}>
            {file.name}
          </UnstyledButton>
        ) : (
          <span className={classes.name}>{file.name}</span>
        )}
        <p className={classes.facts}>
          {origin} · {formatSize(size)} · <When time={created_at} />
          {file.is_deleted && ' · file deleted'}
        </p>
      </div>
      <Tooltip label="Download">
        <ActionIcon
          component="a"
          href={artifactUrl(projectId, id)}
          size={28}
          aria-label={`Download ${file.name}, ${origin}`}
        >
          <IconDownload {...icon} />
        </ActionIcon>
      </Tooltip>
      {canDelete && (
        // What a run wrote cannot be brought back: it takes a second press.
        <IconButton
          label={`${words}: ${file.name}, ${origin}`}
          tip={words}
          size={28}
          variant={isSure ? 'filled' : 'subtle'}
          color={isSure ? 'danger' : undefined}
          loading={remove.isPending}
          onClick={() => (isSure ? remove.mutate(id) : setSure(true))}
          onBlur={() => setSure(false)}
        >
          <IconTrash {...icon} />
        </IconButton>
      )}
    </li>
  );
}
