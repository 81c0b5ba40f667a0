import type { PublishedStrategy } from '@atoll/contract/strategies/runs';
import { Tooltip } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { runWords } from '../../model.ts';
import classes from './catalogue.module.css';

/** What of its result was checked. */
export function Marks({ strategy }: { strategy: PublishedStrategy }) {
  const { verification, look_ahead } = strategy;
  const isGoing = verification?.state === 'queued' || verification?.state === 'running';
  return (
    <div className={classes.marks}>
      {verification?.state === 'passed' ? (
        <Mark isGood good="Verified bar by bar" bad="" />
      ) : (
        <Mark
          isGood={look_ahead === 'passed'}
          good="Look-ahead tested"
          bad={look_ahead === 'failed' ? 'Looks ahead' : 'Not tested for look-ahead'}
        />
      )}
      {verification?.state === 'failed' && <Mark isGood={false} good="" bad="Not the same bar by bar" />}
      {isGoing && <span className={classes.mark}>Being verified bar by bar</span>}
      {strategy.live && <Mark isGood good={runWords(strategy.live)} bad="" />}
    </div>
  );
}

function Mark({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) {
  const Icon = isGood ? IconCircleCheck : IconCircleX;
  return (
    <Tooltip label={isGood ? good : bad}>
      <span className={classes.mark} data-good={isGood || undefined}>
        <Icon size={16} aria-hidden /> {isGood ? good : bad}
      </span>
    </Tooltip>
  );
}
