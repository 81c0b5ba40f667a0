import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { treeQuery } from '../files/queries.ts';
import { projectQuery } from '../projects/queries.ts';
import { chosenTier } from './chosen-tier.ts';
import { SecretsChoice } from './components/secrets-choice.tsx';
import { useStartRun } from './mutations.ts';

/** Runs the newest version from start to end in a kernel of its own; the notebook's kernel is left alone. */
export function RunInBackground({ projectId, fileId }: { projectId: string; fileId: string }) {
  const navigate = useNavigate();
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: tree } = useQuery(treeQuery(projectId));
  const [withSecrets, setWithSecrets] = useState(false);
  const file = tree?.files.find(({ id }) => id === fileId);
  const start = useStartRun(
    projectId,
    ({ id: run }) => void navigate({ to: '.', search: (before: object) => ({ ...before, run }) }),
  );
  if (!file) return null;
  return (
    <>
      <Menu.Item onClick={() => start.mutate({ file, tier: chosenTier(), withSecrets })}>Run in background</Menu.Item>
      {project && <SecretsChoice project={project} isChosen={withSecrets} onChange={setWithSecrets} />}
    </>
  );
}
