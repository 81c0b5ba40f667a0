import { intervalMs } from '@atoll/trading';
import type { Task } from './messages.ts';

/** All markets and intervals of one test together. */
export const mostBars = 6_000_000;

/** Of the processor, for the strategy's code: what a pass over so many bars takes many times over. */
export const cpuLimitMs = (bars: number) => Math.min(240_000, 10_000 + bars / 2);

/** A column of one's own is computed at each bar. */
export const verifyCpuMs = 500_000;

/** The same before the bars are read, for a process that runs as many passes as the task has. */
export function cpuSecondsOf(task: Task): number {
  if (task.kind === 'describe') return 5;
  if (task.kind === 'verify') return verifyCpuMs / 1_000;
  const { interval, from, until, markets } = task.test;
  const bars = task.kind === 'advance' ? 0 : (markets.length * (until - from)) / intervalMs[interval];
  const isMany = task.kind === 'sweep' || task.kind === 'walk_forward';
  return Math.ceil((isMany ? 240_000 : cpuLimitMs(bars)) / 1_000);
}

/** The first pass, the ends of the look-ahead test, both histories of the warm-up test, and bars one by one: each has one of its own. */
export const hostsOf = (task: Task): number => (task.kind === 'backtest' ? 11 : task.kind === 'verify' ? 2 : 1);
