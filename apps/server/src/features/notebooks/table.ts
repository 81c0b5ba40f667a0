import type { CellOutput, CellType, ComputeTier } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

const fileReference = () => belongsTo('file_id', () => files.id);
const personReference = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });

/** Notebooks that were edited or run here; an unchanged notebook has only its file. */
export const notebooks = pgTable(
  'notebooks',
  {
    fileId: belongsTo('file_id', () => files.id).primaryKey(),
    projectId: belongsTo('project_id', () => projects.id),
    /** The file on which the cells are based; null while there are no cells yet. */
    baseBlob: text('base_blob'),
    baseVersion: integer('base_version'),
    // json and not jsonb, so that the fields keep their order.
    metadata: json('metadata').$type<Record<string, unknown>>().notNull().default({}),
    headRevision: integer('head_revision').notNull().default(0),
    /** Counts all changes, so that a save knows whether it has everything. */
    revision: integer('revision').notNull().default(0),
    kernel: text('kernel'),
    tier: text('tier').$type<ComputeTier>().notNull().default('l1'),
    isGpu: boolean('is_gpu').notNull().default(false),
    sessionId: uuid('session_id'),
    /** The server that runs its cells and has its kernel, until its lease ends; see `service/queue/owner.ts`. */
    ownerId: uuid('owner_id'),
    ownedUntil: time('owned_until'),
    /**
     * The person who switched on that the notebook runs by itself after files beside it have changed; null while it is off.
     */
    autorunById: personReference('autorun_by_id'),
    isParallel: boolean('is_parallel').notNull().default(false),
    /** The time of the first unsaved change; `changed_at` is that of the newest. */
    unsavedSince: time('unsaved_since'),
    changedAt: time('changed_at'),
    /** The person who edited it last; while there are no edits, the person who ran it last. */
    changedById: personReference('changed_by_id'),
    /** The unsaved changes contain edits, and not outputs alone. */
    isEdited: boolean('is_edited').notNull().default(false),
  },
  (table) => [
    index('notebooks_autorun_by').on(table.autorunById).where(sql`${table.autorunById} is not null`),
    index('notebooks_changed_by').on(table.changedById).where(sql`${table.changedById} is not null`),
    index('notebooks_project').on(table.projectId),
    index('notebooks_unsaved').on(table.unsavedSince).where(sql`${table.unsavedSince} is not null`),
    index('notebooks_owned').on(table.ownedUntil).where(sql`${table.ownerId} is not null`),
  ],
);
export type NotebookRow = typeof notebooks.$inferSelect;

export const notebookCells = pgTable(
  'notebook_cells',
  {
    fileId: fileReference(),
    id: text('id').notNull(),
    rank: text('rank').notNull(),
    type: text('type').$type<CellType>().notNull(),
    source: text('source').notNull(),
    metadata: json('metadata').$type<Record<string, unknown>>().notNull(),
    attachments: json('attachments').$type<Record<string, unknown>>(),
    revision: integer('revision').notNull(),
    /** The place of the cell's outputs: in the file, with its execution, here, or nowhere. */
    shown: text('shown').$type<'file' | 'execution' | 'own' | 'nothing'>().notNull(),
    outputs: json('outputs').$type<CellOutput[]>(),
    /** The number of changes of its outputs by code that ran after its execution ended. */
    updatesCount: integer('updates_count').notNull().default(0),
    executionId: uuid('execution_id'),
    executionCount: integer('execution_count'),
    executedById: personReference('executed_by_id'),
    /** The time at which the cell was moved to the bin. */
    deletedAt: time('deleted_at'),
    deletedById: personReference('deleted_by_id'),
  },
  (table) => [
    index('notebook_cells_executed_by').on(table.executedById).where(sql`${table.executedById} is not null`),
    index('notebook_cells_deleted_by').on(table.deletedById).where(sql`${table.deletedById} is not null`),
    primaryKey({ columns: [table.fileId, table.id] }),
  ],
);
export type CellRow = typeof notebookCells.$inferSelect;

/** Items beside the cells of a canvas. A deleted item stays without fields, because its revision is used once. */
export const notebookItems = pgTable(
  'notebook_items',
  {
    fileId: fileReference(),
    id: text('id').notNull(),
    fields: json('fields').$type<Record<string, unknown>>(),
    revision: integer('revision').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.id] })],
);

/** Waiting and running cells; the id is that of their execution. */
export const notebookJobs = pgTable(
  'notebook_jobs',
  {
    id: primaryId(),
    fileId: fileReference(),
    cellId: text('cell_id').notNull(),
    batchId: uuid('batch_id').notNull(),
    userId: belongsTo('user_id', () => users.id),
    /** The code at the time of the request to run it. */
    code: text('code').notNull(),
    place: doublePrecision('place').notNull(),
    state: text('state').$type<'waiting' | 'running'>().notNull(),
    question: jsonb('question').$type<{ prompt: string; is_password: boolean }>(),
    serverId: uuid('server_id').notNull(),
    queuedAt: time('queued_at').notNull(),
  },
  (table) => [
    index('notebook_jobs_user').on(table.userId),
    index('notebook_jobs_file').on(table.fileId, table.place),
    index('notebook_jobs_server').on(table.serverId),
  ],
);
export type JobRow = typeof notebookJobs.$inferSelect;

/** The person who writes in a cell; ends with its channel or its time. */
export const cellLocks = pgTable(
  'cell_locks',
  {
    fileId: fileReference(),
    cellId: text('cell_id').notNull(),
    projectId: belongsTo('project_id', () => projects.id),
    userId: belongsTo('user_id', () => users.id),
    channelId: text('channel_id').notNull(),
    tag: text('tag').notNull(),
    acquiredAt: time('acquired_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('cell_locks_project').on(table.projectId),
    index('cell_locks_user').on(table.userId),
    primaryKey({ columns: [table.fileId, table.cellId] }),
    index('cell_locks_channel').on(table.channelId),
    index('cell_locks_expires').on(table.expiresAt),
  ],
);
