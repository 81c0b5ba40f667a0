import { personName } from '@atoll/contract/users/names';
import { useEffect, useState } from 'react';
import { When } from '../../../ui/when.tsx';
import { duration } from '../../runs/model.ts';
import { isEnded } from '../model.ts';
import { useShown } from '../notebook-context.tsx';
import classes from './cell.module.css';

/** The duration, the person and the time of an execution, and the reason where it did not run to its end. */
export function CellMeta({ id, isQuiet }: { id: string; isQuiet: boolean }) {
  const { execution, outputs } = useShown(id);
  if (!execution || execution.state === 'waiting') return null;
  // The duration of setting a value is not worth showing.
  if (isQuiet && execution.state === 'ok') return null;
  return (
    <>
      {/* A traceback says it already. */}
      {execution.reason && !outputs.some(({ output_type }) => output_type === 'error') && (
        <div className={classes.reason} role="alert">
          {execution.reason}
        </div>
      )}
      <div className={classes.meta} data-state={execution.state}>
        {isEnded(execution) ? (
          <span>
            {words[execution.state]} {execution.milliseconds !== null && duration(execution.milliseconds)}
          </span>
        ) : (
          <Running since={execution.started_at} />
        )}
        <span className={classes.metaMore}>
          {execution.user && `${personName(execution.user)}, `}
          <When time={execution.started_at} />
        </span>
      </div>
    </>
  );
}

const words: Record<string, string> = { ok: '', error: 'Failed after', aborted: 'Interrupted after' };

function Running({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const passed = Math.max(0, now - Date.parse(since));
  // A run of less than a second needs no clock.
  return <span>{passed < 1_000 ? 'Running' : `Running for ${duration(Math.floor(passed / 1000) * 1000)}`}</span>;
}
