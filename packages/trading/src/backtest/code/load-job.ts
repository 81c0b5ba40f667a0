import type { BacktestJob } from '../job.ts';
import { loadPython } from '../python/load.ts';
import { type LoadedStrategy, loadStrategy } from './load.ts';

/** The strategy of a job, in its language. */
export const loadJob = ({ code, python }: Pick<BacktestJob, 'code' | 'python'>): LoadedStrategy =>
  python ? loadPython(code, python) : loadStrategy(code);
