import type { ComputeTier, RunParameters, runTypes } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { kernelSessions } from '../kernels/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

export const runs = pgTable(
  'runs',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: uuid('file_id').references(() => files.id, { onDelete: 'set null' }),
    /** As it was called when the run began. */
    filePath: text('file_path').notNull(),
    versionId: uuid('version_id').notNull(),
    versionNumber: integer('version_number').notNull(),
    /** What is run: later savings do not change it. */
    sourceBlob: text('source_blob').notNull(),
    /** The file with its outputs, once the run has ended. */
    resultBlob: text('result_blob'),
    number: integer('number').notNull(),
    starterId: uuid('starter_id').references(() => users.id, { onDelete: 'set null' }),
    type: text('type').$type<(typeof runTypes)[number]>().notNull(),
    kernel: text('kernel').notNull(),
    tier: text('tier').$type<ComputeTier>().notNull(),
    /** The execution time that was set aside when it began. */
    leaseId: uuid('lease_id').notNull(),
    savesFiles: boolean('saves_files').notNull(),
    /** Whether its starter wants their secrets in it although other people may have written what it runs. */
    isWithSecrets: boolean('is_with_secrets').notNull().default(false),
    /** It runs only what its starter has looked at: code, or all files. Null where they started it by hand. */
    requiredReview: text('required_review').$type<'code' | 'all'>(),
    parameters: jsonb('parameters').$type<RunParameters>().notNull().default({}),
    sessionId: uuid('session_id').references(() => kernelSessions.id, { onDelete: 'set null' }),
    status: text('status').$type<'in_progress' | 'ok' | 'error' | 'aborted'>().notNull(),
    errorReason: text('error_reason'),
    cellsDone: integer('cells_done').notNull().default(0),
    cellsTotal: integer('cells_total'),
    notices: jsonb('notices').$type<string[]>().notNull().default([]),
    /** Whose server carries it out, and when that was last alive. */
    serverId: uuid('server_id').notNull(),
    stopRequestedAt: time('stop_requested_at'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('runs_starter').on(table.starterId).where(sql`${table.starterId} is not null`),
    uniqueIndex('runs_number').on(table.projectId, table.number),
    index('runs_file').on(table.fileId, table.number.desc()),
    index('runs_going').on(table.serverId).where(sql`${table.endedAt} is null`),
    index('runs_started').on(table.startedAt),
    index('runs_session').on(table.sessionId),
    index('runs_source_blob').on(table.sourceBlob),
    index('runs_result_blob').on(table.resultBlob),
  ],
);
export type RunRow = typeof runs.$inferSelect;
