import type { Project } from '@atoll/contract/projects/entity';
import type { Run } from '@atoll/contract/runs/entity';
import { personName } from '@atoll/contract/users/names';
import { ActionIcon, Button, SegmentedControl, Skeleton, Switch, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { When } from '../../../ui/when.tsx';
import { progressWords, statusWords } from '../model.ts';
import { type RunsSearch, runsOnPage, runsQuery } from '../queries.ts';
import { RunActions } from './run-view.tsx';
import panel from './runs.module.css';
import classes from './runs-list.module.css';
import { Elapsed, StatusIcon } from './status-chip.tsx';

const modes = [
  { value: 'latest', label: 'All' },
  { value: 'last_ok', label: 'Succeeded' },
  { value: 'scheduled', label: 'Scheduled' },
];
const everything: RunsSearch = { mode: 'latest', search: '', isEverybodys: false, page: 1 };
const pauseMs = 200;

interface RunsListProps {
  project: Project;
  onRun(runId: string): void;
  close: ReactNode;
}

export function RunsList({ project, onRun, close }: RunsListProps) {
  const [wanted, setWanted] = useState(everything);
  const [search] = useDebouncedValue(wanted.search, pauseMs);
  const { data, error, refetch } = useQuery(runsQuery(project.id, { ...wanted, search: search.trim() }));
  // Another filter begins at its first page.
  const change = (part: Partial<RunsSearch>) => setWanted({ ...wanted, page: 1, ...part });
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / runsOnPage));
  return (
    <>
      <div className={panel.head} data-list>
        <h2 className={panel.title}>Runs</h2>
        <SegmentedControl
          aria-label="Which runs"
          size="xs"
          className={classes.modes}
          data={modes}
          value={wanted.mode}
          onChange={(mode) => change({ mode: mode as RunsSearch['mode'] })}
        />
        <Switch
          size="xs"
          label="By everyone"
          checked={wanted.isEverybodys}
          onChange={(event) => change({ isEverybodys: event.currentTarget.checked })}
        />
        <TextInput
          aria-label="Search runs"
          placeholder="Number, file, person or reason"
          size="xs"
          maxLength={200}
          leftSection={<IconSearch size={14} aria-hidden />}
          className={classes.search}
          value={wanted.search}
          onChange={(event) => change({ search: event.currentTarget.value })}
        />
        {close}
      </div>
      {error && !data ? (
        <div className={panel.empty} role="alert">
          <h3>Could not load the runs</h3>
          <p>{messageOf(error)}</p>
          <RetryButton onClick={() => refetch()} />
        </div>
      ) : !data ? (
        <div className={panel.cells} aria-busy>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height={20} mb={12} />
          ))}
        </div>
      ) : data.entries.length === 0 ? (
        <Nothing wanted={wanted} onClear={() => setWanted(everything)} onAll={() => change({ isEverybodys: true })} />
      ) : (
        <ul className={classes.rows} aria-label="Runs">
          {data.entries.map((run) => (
            <RunRow key={run.id} run={run} project={project} onOpen={() => onRun(run.id)} />
          ))}
        </ul>
      )}
      {last > 1 && (
        <nav className={classes.pages} aria-label="Pages of runs">
          <span role="status">{data?.total.toLocaleString('en')} runs</span>
          <ActionIcon
            size={26}
            aria-label="Newer runs"
            disabled={wanted.page <= 1}
            onClick={() => change({ page: wanted.page - 1 })}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          Page {wanted.page} of {last}
          <ActionIcon
            size={26}
            aria-label="Older runs"
            disabled={wanted.page >= last}
            onClick={() => change({ page: wanted.page + 1 })}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </>
  );
}

function RunRow({ run, project, onOpen }: { run: Run; project: Project; onOpen: () => void }) {
  const progress = progressWords(run);
  return (
    <li className={classes.row}>
      <UnstyledButton className={classes.open} onClick={onOpen}>
        <span className={classes.number}>{run.number}</span>
        <span className={classes.status}>
          <StatusIcon status={run.status} />
          {statusWords[run.status]}
        </span>
        <span className={classes.file}>{run.file?.name ?? 'Deleted file'}</span>
        <span className={classes.reasonCell} title={run.error_reason ?? undefined}>
          {run.error_reason ?? progress}
        </span>
        <span className={classes.starter}>{run.starter ? personName(run.starter) : 'Deleted user'}</span>
        <span className={classes.when}>
          <When time={run.started_at} />
        </span>
        <span className={classes.took}>
          <Elapsed run={run} />
        </span>
      </UnstyledButton>
      <span className={classes.actions}>
        <RunActions run={run} project={project} />
      </span>
    </li>
  );
}

function Nothing({ wanted, onClear, onAll }: { wanted: RunsSearch; onClear: () => void; onAll: () => void }) {
  if (wanted.search || wanted.mode !== 'latest') {
    return (
      <div className={panel.empty}>
        <h3>{wanted.search || wanted.mode === 'last_ok' ? 'No runs match' : 'No scheduled runs yet'}</h3>
        <Button size="compact-sm" variant="default" onClick={onClear}>
          Show all runs
        </Button>
      </div>
    );
  }
  return (
    <div className={panel.empty}>
      <h3>{wanted.isEverybodys ? 'No runs yet' : 'No runs by you yet'}</h3>
      <p>Use Run in background in a notebook, or Run in a script. Runs are listed here with their output.</p>
      {!wanted.isEverybodys && (
        <Button size="compact-sm" variant="default" onClick={onAll}>
          Show runs by everyone
        </Button>
      )}
    </div>
  );
}
