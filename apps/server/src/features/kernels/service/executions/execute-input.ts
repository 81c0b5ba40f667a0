import type { Write } from '../../../../platform/context.ts';
import type { ExecutionRow } from '../../table.ts';

export interface ExecuteInput {
  /** Made by the caller: asking twice runs it once. */
  id: string;
  code: string;
  batchId: string;
  cell: string | null;
  /** Where it is told how it goes on. */
  topic: string | null;
  /** What the plan lets it take. */
  longestMs: number | null;
  /** Beside what runs already, where the kernel can. */
  isParallel?: boolean;
  /** Whether somebody is there who can answer what the code asks for. */
  allowsInput?: boolean;
  /** In the transaction in which it is stored. */
  noted?(write: Write, execution: ExecutionRow): void;
}

/** As it is when it begins. */
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
