import type { RunExecution } from '@atoll/contract/runs/entity';
import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { Outputs } from '../../outputs/outputs.tsx';
import { duration } from '../model.ts';
import classes from './run-cell.module.css';
import { Elapsed, StatusIcon } from './status-chip.tsx';

interface RunCellProps {
  execution: RunExecution;
  /** Null where it is not known; a script is one cell, of which nothing need be said. */
  place: { number: number; source: string } | null;
  isScript: boolean;
  /** Said of the whole run already. */
  runReason: string | null;
}

const statuses = {
  waiting: 'running',
  running: 'running',
  ok: 'succeeded',
  error: 'failed',
  aborted: 'aborted',
} as const;
const words = { waiting: 'waiting', running: 'running', ok: 'done', error: 'failed', aborted: 'stopped' };

export const RunCell = memo(
  function RunCell({ execution, place, isScript, runReason }: RunCellProps) {
    const { state, outputs, milliseconds, reason } = execution;
    const firstLine = place?.source.trim().split('\n', 1)[0];
    const isMore = place && place.source.trim() !== firstLine;
    const isSaid =
      outputs.some(({ output_type }) => output_type === 'error') || (reason && runReason?.includes(reason));
    const head = (
      <>
        <StatusIcon status={statuses[state]} />
        <span className={classes.place}>{place ? `Cell ${place.number}` : execution.cell}</span>
        <VisuallyHidden>{words[state]}</VisuallyHidden>
        {firstLine && <code>{firstLine}</code>}
        <span className={classes.time}>
          {milliseconds === null ? <Elapsed run={execution} /> : duration(milliseconds)}
        </span>
      </>
    );
    return (
      <li className={classes.cell}>
        {isScript ? null : isMore ? (
          <details className={classes.source}>
            <summary className={classes.cellHead}>{head}</summary>
            <pre>{place.source}</pre>
          </details>
        ) : (
          <div className={classes.cellHead}>{head}</div>
        )}
        <div className={classes.shown} data-script={isScript || undefined}>
          <Outputs outputs={outputs} />
          {reason && !isSaid && <p className={classes.cellReason}>{reason}</p>}
        </div>
      </li>
    );
  },
  (before, after) =>
    before.execution === after.execution &&
    before.runReason === after.runReason &&
    before.place?.number === after.place?.number &&
    before.place?.source === after.place?.source,
);
