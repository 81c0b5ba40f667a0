import type { Run } from '@atoll/contract/runs/entity';
import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { duration, progressWords, runMs, statusWords } from '../model.ts';
import classes from './runs.module.css';

export const StatusIcon = ({ status }: { status: Run['status'] }) => (
  <span className={classes.icon} data-status={status} aria-hidden>
    {status === 'running' && <Loader size={12} color="currentColor" />}
    {status === 'succeeded' && <IconCheck size={15} stroke={2} />}
    {status === 'failed' && <IconAlertTriangle size={15} stroke={1.8} />}
    {status === 'aborted' && <IconPlayerStopFilled size={13} />}
  </span>
);

/** How a run stands: in a word, with how long and how far. */
export function StatusChip({ run }: { run: Run }) {
  const progress = progressWords(run);
  return (
    <span className={classes.chip} data-status={run.status}>
      <StatusIcon status={run.status} />
      <span role="status">{statusWords[run.status]}</span>
      <span className={classes.chipMore}>
        <Elapsed run={run} />
        {progress && ` · ${progress}`}
      </span>
    </span>
  );
}

export function Elapsed({ run }: { run: Pick<Run, 'started_at' | 'ended_at'> }) {
  const now = useNow(run.ended_at === null);
  const passed = runMs(run, now);
  return duration(run.ended_at === null ? Math.floor(passed / 1000) * 1000 : passed);
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
