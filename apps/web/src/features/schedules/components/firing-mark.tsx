import type { Firing } from '@atoll/contract/schedules/entity';
import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHandStop, IconPlayerSkipForward } from '@tabler/icons-react';
import { firingWords } from '../model.ts';
import classes from './schedules.module.css';

/** What came of one time, in a word. */
export const FiringMark = ({ firing: { state } }: { firing: Firing }) => (
  <span className={classes.mark} data-state={state}>
    {state === 'running' && <Loader size={12} color="currentColor" />}
    {state === 'succeeded' && <IconCheck size={15} stroke={2} aria-hidden />}
    {state === 'failed' && <IconAlertTriangle size={15} stroke={1.8} aria-hidden />}
    {state === 'stopped' && <IconHandStop size={15} stroke={1.8} aria-hidden />}
    {state === 'skipped' && <IconPlayerSkipForward size={15} stroke={1.8} aria-hidden />}
    {firingWords[state]}
  </span>
);
