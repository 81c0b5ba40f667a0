import type { CellOutput, ComputeTier, executionStates } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

/** Kernels that run or ran; the spec calls them servers. Rows stay when their project or file is deleted. */
export const kernelSessions = pgTable(
  'kernel_sessions',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
    fileId: uuid('file_id').references(() => files.id, { onDelete: 'set null' }),
    /** `provider.spec`. */
    kernel: text('kernel').notNull(),
    tier: text('tier').$type<ComputeTier>().notNull(),
    purpose: text('purpose').$type<'run' | 'notebook' | 'strategy_test' | 'strategy_run'>().notNull(),
    /** Whether files that the code writes are saved to the project. */
    savesFiles: boolean('saves_files').notNull(),
    /** Whether it contains secrets: then only their owner runs code there. */
    hasSecrets: boolean('has_secrets').notNull().default(false),
    state: text('state').$type<'starting' | 'idle' | 'busy' | 'ended'>().notNull(),
    /** The server that has it, and the host process that owns the kernel; a kernel of an earlier host process is gone. */
    serverId: uuid('server_id').notNull(),
    hostId: uuid('host_id').notNull(),
    /** The kernel's events up to this one are stored. */
    storedSequence: integer('stored_sequence').notNull().default(0),
    /** Its abilities beyond running one cell after another: `subshells`. Known when it has started. */
    features: text('features').array().notNull().default([]),
    endReason: text('end_reason'),
    endMessage: text('end_message'),
    /** A stop request; the server that has the kernel looks for it here. */
    stopReason: text('stop_reason'),
    stopMessage: text('stop_message'),
    /** The current lease of reserved execution time. */
    leaseId: uuid('lease_id'),
    /** The used time before that lease. */
    leaseBaseMs: bigint('lease_base_ms', { mode: 'number' }).notNull().default(0),
    executionsCount: integer('executions_count').notNull().default(0),
    usedMs: bigint('used_ms', { mode: 'number' }).notNull().default(0),
    /** The part of it that was taken from extension time. */
    extensionMs: bigint('extension_ms', { mode: 'number' }).notNull().default(0),
    startedAt: time('started_at').notNull(),
    activeAt: time('active_at').notNull(),
    /** The time of the last heartbeat of the server that has it. */
    heartbeatAt: time('heartbeat_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('kernel_sessions_file').on(table.fileId).where(sql`${table.fileId} is not null`),
    index('kernel_sessions_project').on(table.projectId).where(sql`${table.projectId} is not null`),
    index('kernel_sessions_user').on(table.userId, table.startedAt.desc()),
    index('kernel_sessions_started').on(table.startedAt),
    index('kernel_sessions_live').on(table.serverId).where(sql`${table.endedAt} is null`),
  ],
);
export type KernelSessionRow = typeof kernelSessions.$inferSelect;

/** The resources that a person's kernels used on one server at one time; kept for a week. */
export const kernelSamples = pgTable(
  'kernel_samples',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    serverId: uuid('server_id').notNull(),
    kernels: integer('kernels').notNull(),
    memoryBytes: bigint('memory_bytes', { mode: 'number' }).notNull(),
    /** Since the previous sample. */
    cpuMs: bigint('cpu_ms', { mode: 'number' }).notNull(),
    sampledAt: time('sampled_at').notNull(),
  },
  (table) => [
    index('kernel_samples_time').on(table.sampledAt),
    index('kernel_samples_user').on(table.userId, table.sampledAt),
  ],
);

/** One piece of code in a kernel. */
export const executions = pgTable(
  'executions',
  {
    id: primaryId(),
    sessionId: belongsTo('session_id', () => kernelSessions.id),
    /** A run, or all cells that a person requested at once. */
    batchId: uuid('batch_id').notNull(),
    cell: text('cell'),
    /** The topic for the execution's changes. */
    topic: text('topic'),
    state: text('state').$type<(typeof executionStates)[number]>().notNull(),
    executionCount: integer('execution_count'),
    errorName: text('error_name'),
    reason: text('reason'),
    /** The longest time that the plan allows. */
    longestMs: bigint('longest_ms', { mode: 'number' }),
    outputBytes: bigint('output_bytes', { mode: 'number' }).notNull().default(0),
    clearsWithNext: boolean('clears_with_next').notNull().default(false),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    milliseconds: bigint('milliseconds', { mode: 'number' }),
  },
  (table) => [
    index('executions_session').on(table.sessionId),
    index('executions_batch').on(table.batchId, table.startedAt),
  ],
);
export type ExecutionRow = typeof executions.$inferSelect;

export const executionOutputs = pgTable(
  'execution_outputs',
  {
    executionId: belongsTo('execution_id', () => executions.id),
    index: integer('index').notNull(),
    output: jsonb('output').$type<CellOutput>().notNull(),
    displayId: text('display_id'),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.index] })],
);

/** The kernel that a person usually works with. */
export const kernelChoices = pgTable('kernel_choices', {
  userId: belongsTo('user_id', () => users.id).primaryKey(),
  kernel: text('kernel').notNull(),
});
