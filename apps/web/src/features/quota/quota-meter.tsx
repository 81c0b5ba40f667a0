import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './components/quota-meter.module.css';
import { type QuotaState, quotaState } from './model.ts';
import { quotaQuery } from './queries.ts';
import { QuotaDetails } from './quota-details.tsx';

/** How much time is used, in the top bar; the whole quota behind it, and below that what is handed in. */
export function QuotaMeter({ children }: { children?: ReactNode }) {
  const { data: quota } = useQuery(quotaQuery);
  if (!quota) return null;
  const state = quotaState(quota);
  return (
    <Popover
      position="bottom-end"
      width={304}
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      withinPortal={false}
      floatingStrategy="fixed"
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <UnstyledButton className={classes.meter} data-level={state.level}>
          {state.used === null ? <IconClock size={15} aria-hidden /> : <Ring {...state} used={state.used} />}
          <span className={classes.words}>{state.words}</span>
          <VisuallyHidden> of execution time{state.level === 'out' ? ', used up' : ''}. Show usage.</VisuallyHidden>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.details} aria-label="Usage">
        <QuotaDetails quota={quota}>{children}</QuotaDetails>
      </Popover.Dropdown>
    </Popover>
  );
}

const radius = 6;
const around = 2 * Math.PI * radius;

function Ring({ used, reserved }: Pick<QuotaState, 'reserved'> & { used: number }) {
  const arc = (part: number) => `${part * around} ${around}`;
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} className={classes.ring} aria-hidden>
      <circle cx={8} cy={8} r={radius} />
      <circle cx={8} cy={8} r={radius} className={classes.held} strokeDasharray={arc(used + reserved)} />
      <circle cx={8} cy={8} r={radius} className={classes.used} strokeDasharray={arc(used)} />
    </svg>
  );
}
