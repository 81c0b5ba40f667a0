import type { Publication, PublicationRun } from '@atoll/contract/publications/entity';
import { Alert, Button, Group, Loader } from '@mantine/core';
import { LinkButton } from '../../../ui/links.tsx';
import { useRun } from '../../runs/live.ts';
import { progressWords } from '../../runs/model.ts';
import { useStopRun } from '../../runs/mutations.ts';

interface RunFirstStateProps {
  projectId: string;
  run: PublicationRun;
  publication: Publication | null;
}

/** How far the run is that publishing waits for, or why it was not published. */
export function RunFirstState({ projectId, run, publication }: RunFirstStateProps) {
  if (run.state === 'running')
    return <Running projectId={projectId} runId={run.run_id} fileId={publication?.file_id} />;
  // What was saved since then has answered it.
  const isPast = publication !== null && run.started_at < publication.updated_at;
  if (run.state === 'published' || isPast) return null;
  return (
    <Alert color="danger" role="alert" title="Not published: the run failed">
      {run.reason}
      <Group mt="xs">
        <RunLink projectId={projectId} runId={run.run_id} fileId={publication?.file_id} />
      </Group>
    </Alert>
  );
}

interface RunPlace {
  projectId: string;
  runId: string;
  fileId: string | null | undefined;
}

function Running({ projectId, runId, fileId }: RunPlace) {
  const { data } = useRun(projectId, runId);
  const stop = useStopRun(projectId);
  const progress = data && progressWords(data);
  return (
    <Alert icon={<Loader size={16} />}>
      <span role="status">
        Running the notebook in a clean kernel{progress && `: ${progress}`}. It is published when the run succeeds. You
        can close this window.
      </span>
      <Group mt="xs" gap="xs">
        <RunLink projectId={projectId} runId={runId} fileId={fileId} />
        <Button size="xs" variant="subtle" color="gray" loading={stop.isPending} onClick={() => stop.mutate(runId)}>
          Stop run
        </Button>
      </Group>
    </Alert>
  );
}

const RunLink = ({ projectId, runId, fileId }: RunPlace) => (
  <LinkButton
    size="xs"
    variant="default"
    to="/projects/$projectId"
    params={{ projectId }}
    search={{ file: fileId ?? undefined, run: runId }}
  >
    Show run
  </LinkButton>
);
