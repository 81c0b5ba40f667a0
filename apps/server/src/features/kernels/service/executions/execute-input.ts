import type { Write } from '../../../../platform/context.ts';
import type { ExecutionRow } from '../../table.ts';

export interface ExecuteInput {
  /** The caller creates it, so that a repeated request runs the code once. */
  id: string;
  code: string;
  batchId: string;
  cell: string | null;
  /** The topic for the execution's changes. */
  topic: string | null;
  /** The longest time that the plan allows. */
  longestMs: number | null;
  /** Runs beside other executions, where the kernel supports it. */
  isParallel?: boolean;
  /** Whether a person is present who can answer the code's questions. */
  allowsInput?: boolean;
  /** Called in the transaction that stores the execution. */
  noted?(write: Write, execution: ExecutionRow): void;
}

/** The row of an execution that begins now. */
export const newExecution = (
  sessionId: string,
  { id, batchId, cell, topic, longestMs }: ExecuteInput,
  startedAt: Date,
): ExecutionRow => ({
  id,
  sessionId,
  batchId,
  cell,
  topic,
  state: 'running',
  executionCount: null,
  longestMs,
  errorName: null,
  reason: null,
  outputBytes: 0,
  clearsWithNext: false,
  startedAt,
  endedAt: null,
  milliseconds: null,
});
