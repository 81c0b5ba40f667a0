import type { CellOutputChange, Execution } from '@atoll/contract/kernels/entity';
import { isNotebookPath, isScriptPath, languageOf } from '@atoll/contract/projects/kinds';
import type { Run, RunDetail } from '@atoll/contract/runs/entity';
import { withChanges } from '../outputs/changes.ts';

export const isRunnable = (name: string): boolean => isNotebookPath(name) || isScriptPath(name);

/** Which language a file is run in: a notebook's is its project's. */
export const languageToRun = (name: string, project: { language: string }): string =>
  isNotebookPath(name) ? project.language : languageOf(name);

export interface ExecutionChange {
  execution: Execution;
  changes: CellOutputChange[];
}

/**
 * A run after what was told of one of its cells; null where something is missing in between. What was told may be in
 * the run already, as it was loaded meanwhile: taking it in again then changes nothing, or what follows mends it.
 */
export function withExecution(run: RunDetail, { execution, changes }: ExecutionChange): RunDetail | null {
  const at = run.executions.findIndex(({ id }) => id === execution.id);
  const known = run.executions[at];
  const outputs = withChanges(known?.outputs ?? [], changes);
  if (!outputs) return null;
  const isOld = known && known.ended_at !== null && execution.ended_at === null;
  const next = { ...(isOld ? known : execution), outputs };
  return { ...run, executions: known ? run.executions.with(at, next) : [...run.executions, next] };
}

/** A run that has ended does not go on again because an older word of it came late. */
export const withRun = <Known extends Run>(known: Known, run: Run): Known =>
  known.ended_at !== null && run.ended_at === null ? known : { ...known, ...run };

export const statusWords: Record<Run['status'], string> = {
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  aborted: 'Stopped',
};

/** As short as it may be: `40 ms`, `1.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds > 0 && seconds < 0.995) return `${Math.round(milliseconds)} ms`;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

export const runMs = ({ started_at, ended_at }: Pick<Run, 'started_at' | 'ended_at'>, now: number): number =>
  (ended_at ? Date.parse(ended_at) : now) - Date.parse(started_at);

/** `2 of 5 cells`; nothing is said of a script, which is one. */
export function progressWords({ cells_done, cells_total }: Pick<Run, 'cells_done' | 'cells_total'>): string | null {
  return cells_total === null || cells_total === 1 ? null : `${cells_done} of ${cells_total} cells`;
}
