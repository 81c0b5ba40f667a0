import type { Execution, ServerUsage } from '@atoll/contract';
import { tierResources } from '@atoll/contract';
import { diskBytes } from './resources.ts';
import type { ExecutionRow, KernelSessionRow } from './table.ts';

export const executionView = (row: ExecutionRow): Execution => ({
  id: row.id,
  cell: row.cell,
  state: row.state,
  execution_count: row.executionCount,
  reason: row.reason,
  started_at: row.startedAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
  milliseconds: row.milliseconds,
});

export interface Related {
  project: { id: string; name: string } | null;
  file: { id: string; path: string } | null;
}

export function serverView(
  row: KernelSessionRow,
  related: Related,
  { memoryUsed = null, cost = 0 }: { memoryUsed?: number | null; cost?: number } = {},
): ServerUsage {
  const { cores, memoryBytes } = tierResources[row.tier];
  const [provider = '', ...name] = row.kernel.split('.');
  return {
    id: row.id,
    type: 'server',
    server_name: `${name.join('.')} (${provider})`,
    state: row.state,
    started_at: row.startedAt.toISOString(),
    stopped_at: row.endedAt?.toISOString() ?? null,
    stop_reason: row.endMessage,
    gpu: false,
    memory: memoryBytes,
    memory_used: memoryUsed,
    cpu_cores: cores,
    tier: row.tier,
    disk_space: diskBytes,
    cost,
    execution_type: row.purpose,
    execution_seconds: Math.round(row.usedMs / 100) / 10,
    kernel: row.kernel,
    project: related.project,
    file: related.file ? { id: related.file.id, name: related.file.path } : null,
    execution_batch_id: null,
    executions_count: null,
    server_stat_id: null,
  };
}

/** The total of all executions of one batch. */
export interface BatchUsage {
  batchId: string;
  count: number;
  milliseconds: number;
  startedAt: Date;
  endedAt: Date | null;
}

export const executionUsageView = (
  session: KernelSessionRow,
  related: Related,
  { batch, sessionCost }: { batch: BatchUsage; sessionCost: number },
): ServerUsage => ({
  ...serverView(session, related, {
    // Its share of its server's cost.
    cost:
      session.usedMs > 0
        ? Math.round((sessionCost * Math.min(batch.milliseconds, session.usedMs)) / session.usedMs)
        : 0,
  }),
  id: batch.batchId,
  type: 'execution',
  state: batch.endedAt ? 'ended' : 'busy',
  started_at: batch.startedAt.toISOString(),
  stopped_at: batch.endedAt?.toISOString() ?? null,
  stop_reason: null,
  execution_seconds: Math.round(batch.milliseconds / 100) / 10,
  execution_batch_id: batch.batchId,
  executions_count: batch.count,
  server_stat_id: session.id,
});
