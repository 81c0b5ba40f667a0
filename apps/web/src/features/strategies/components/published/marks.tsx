import type { PublishedStrategy } from '@atoll/contract/strategies/runs';
import { Tooltip } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import classes from './catalogue.module.css';

/** What of its result was checked. */
export function Marks({ strategy }: { strategy: PublishedStrategy }) {
  return (
    <div className={classes.marks}>
      <Mark isGood={strategy.look_ahead === 'passed'} good="Look-ahead passed" bad="Looks ahead, or not tested" />
      {strategy.is_verified && <Mark isGood good="Computed again" bad="" />}
      {strategy.live && <Mark isGood good="Runs live" bad="" />}
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
