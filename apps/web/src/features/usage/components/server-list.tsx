import type { ServerUsage } from '@atoll/contract/kernels/entity';
import { timeInWords } from '@atoll/contract/quota/words';
import { Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { unitWords } from '../../wallet/model.ts';
import type { UsageSearch } from '../model.ts';
import { usageQuery } from '../queries.ts';
import classes from './usage.module.css';

const types = [
  { value: 'server', label: 'Servers' },
  { value: 'execution', label: 'Executions' },
];

/** Each server or piece of work, newest first. */
export function ServerList({ search }: { search: UsageSearch }) {
  const navigate = useNavigate();
  const { page = 1 } = search;
  const list = useQuery(usageQuery(search));
  const go = (change: UsageSearch) =>
    void navigate({ to: '/usage', search: { ...search, ...change }, resetScroll: false });
  const { data } = list;
  const isLast = !data || page * data.page_size >= data.total;
  return (
    <Panel
      title="What ran"
      aside={
        <SegmentedControl
          aria-label="Show"
          size="xs"
          data={types}
          value={search.type ?? 'server'}
          onChange={(value) => go({ type: value === 'execution' ? value : undefined, page: undefined })}
        />
      }
    >
      {list.error && !data ? (
        <LoadProblem error={list.error} onRetry={list.refetch} />
      ) : !data ? (
        <Skeleton height={160} />
      ) : data.entries.length === 0 ? (
        <Text c="dimmed">Nothing ran yet. Open a notebook and run a cell.</Text>
      ) : (
        <ul className={classes.servers} aria-busy={list.isFetching}>
          {data.entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && data.total > data.page_size && (
        <Group mt="md" gap="sm">
          <Button variant="default" size="xs" disabled={page === 1} onClick={() => go({ page: page - 1 || undefined })}>
            Newer
          </Button>
          <Button variant="default" size="xs" disabled={isLast} onClick={() => go({ page: page + 1 })}>
            Older
          </Button>
          <Text size="sm" c="dimmed">
            Page {page} of {Math.ceil(data.total / data.page_size)}
          </Text>
        </Group>
      )}
    </Panel>
  );
}

function Row({ entry }: { entry: ServerUsage }) {
  const { project, file, server_name, executions_count, tier, cost, state } = entry;
  const name = file?.name ?? project?.name ?? server_name;
  return (
    <li>
      <div className={classes.words}>
        {project ? (
          <TextLink to="/projects/$projectId" params={{ projectId: project.id }} search={{ file: file?.id }}>
            {name}
          </TextLink>
        ) : (
          <span>{name}</span>
        )}
        <span className={classes.note}>
          {[
            file && project?.name,
            server_name,
            tier.toUpperCase(),
            executions_count !== null && `${executions_count} ${executions_count === 1 ? 'execution' : 'executions'}`,
            state !== 'ended' ? 'Running' : entry.stop_reason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <div className={classes.figures}>
        <span>{timeInWords(entry.execution_seconds)}</span>
        <span className={classes.note}>
          {cost > 0 && `${unitWords(cost)} · `}
          <When time={entry.started_at} />
        </span>
      </div>
    </li>
  );
}
