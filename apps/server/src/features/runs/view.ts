import type { PersonSummary, Run } from '@atoll/contract';
import type { RunRow } from './table.ts';

/** The spec's mapping of what the backend calls a run's status. */
const statuses = { in_progress: 'running', ok: 'succeeded', error: 'failed', aborted: 'aborted' } as const;
export const statusOf = (row: RunRow): Run['status'] => statuses[row.status];

export const runView = (row: RunRow, starter: PersonSummary | null, executionMs: number): Run => ({
  id: row.id,
  number: row.number,
  starter,
  started_at: row.startedAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
  type: row.type,
  environment: { kernel: row.kernel, tier: row.tier },
  version: { id: row.versionId, number: row.versionNumber },
  file: row.fileId ? { id: row.fileId, name: row.filePath } : null,
  parameters: row.parameters,
  status: statusOf(row),
  error_reason: row.errorReason,
  cells_done: row.cellsDone,
  cells_total: row.cellsTotal,
  execution_seconds: Math.round(executionMs / 100) / 10,
  notices: row.notices,
  has_result: row.resultBlob !== null,
});
