import type { AiConfiguration, AiEventKind, AiModelSettings, AiProviderKind, ToolPolicy } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

/** Where models answer, set up by admins for everyone or by people for themselves. */
export const aiProviders = pgTable(
  'ai_providers',
  {
    id: primaryId(),
    /** Null: for everyone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<AiProviderKind>().notNull(),
    name: text('name').notNull(),
    baseUrl: text('base_url'),
    models: jsonb('models').$type<AiModelSettings[]>().notNull(),
    sealedKey: text('sealed_key'),
    /** Of the key that sealed it. */
    sealId: text('seal_id'),
    isEnabled: boolean('is_enabled').notNull().default(true),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [index('ai_providers_user').on(table.userId)],
);
export type ProviderRow = typeof aiProviders.$inferSelect;

/** What models cost that no provider's row has: those of the operator's keys, and of programs on the machine. */
export const aiPrices = pgTable('ai_prices', {
  /** provider/model */
  model: text('model').primaryKey(),
  inputUnits: doublePrecision('input_units').notNull(),
  outputUnits: doublePrecision('output_units').notNull(),
  contextTokens: integer('context_tokens').notNull(),
});

/** A conversation about a document: one at a time, the earlier ones are archived. */
export const aiConversations = pgTable(
  'ai_conversations',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: belongsTo('file_id', () => files.id),
    state: text('state').$type<'idle' | 'running' | 'waiting_for_approval'>().notNull().default('idle'),
    configuration: jsonb('configuration').$type<Pick<AiConfiguration, 'model'>>().notNull(),
    lastSeq: integer('last_seq').notNull().default(0),
    lastSnapshot: integer('last_snapshot').notNull().default(0),
    /** The answer that is being written, for who comes meanwhile. */
    streaming: jsonb('streaming').$type<{ after_seq: number; text: string; thinking: string }>(),
    units: doublePrecision('units').notNull().default(0),
    /** In whose name the newest turn runs. */
    runById: uuid('run_by_id').references(() => users.id, { onDelete: 'set null' }),
    isStopRequested: boolean('is_stop_requested').notNull().default(false),
    /** Of the server that runs it; another may take it over when it has not renewed this. */
    lease: uuid('lease'),
    leaseUntil: time('lease_until'),
    createdAt: time('created_at').notNull(),
    archivedAt: time('archived_at'),
  },
  (table) => [
    uniqueIndex('ai_conversations_current').on(table.fileId).where(sql`${table.archivedAt} is null`),
    index('ai_conversations_file').on(table.fileId),
    index('ai_conversations_project').on(table.projectId),
    index('ai_conversations_run_by').on(table.runById),
    index('ai_conversations_running').on(table.leaseUntil).where(sql`${table.state} = 'running'`),
  ],
);
export type ConversationRow = typeof aiConversations.$inferSelect;

const conversationReference = () => belongsTo('conversation_id', () => aiConversations.id);

/** What happened in a conversation. Rows are added and never changed. */
export const aiEvents = pgTable(
  'ai_events',
  {
    conversationId: conversationReference(),
    seq: integer('seq').notNull(),
    kind: text('kind').$type<AiEventKind>().notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] }), index('ai_events_user').on(table.userId)],
);
export type EventRow = typeof aiEvents.$inferSelect;

/** What a person lets tools do in a file, in their own turns and no one else's. */
export const aiToolPolicies = pgTable(
  'ai_tool_policies',
  {
    userId: belongsTo('user_id', () => users.id),
    fileId: belongsTo('file_id', () => files.id),
    policies: jsonb('policies').$type<Record<string, ToolPolicy>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.fileId] }), index('ai_tool_policies_file').on(table.fileId)],
);

/** How the project's files were: of each snapshot only what differs from the one before. */
export const aiSnapshotFiles = pgTable(
  'ai_snapshot_files',
  {
    conversationId: conversationReference(),
    snapshot: integer('snapshot').notNull(),
    fileId: uuid('file_id').notNull(),
    path: text('path').notNull(),
    /** Null: it was deleted. */
    contentBlob: text('content_blob'),
    size: integer('size').notNull(),
    /** Counts every save of the file, so that a change is seen without comparing contents. */
    version: integer('version').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.fileId, table.snapshot] }),
    index('ai_snapshot_files_blob').on(table.contentBlob),
  ],
);

/** What a person used of models in a day, by conversation; calls outside of one are together. */
export const aiUsage = pgTable(
  'ai_usage',
  {
    userId: belongsTo('user_id', () => users.id),
    day: date('day').notNull(),
    /** A conversation, or the person for calls outside of one. */
    scopeId: uuid('scope_id').notNull(),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    /** Exactly; in the wallet it is rounded up once. */
    units: doublePrecision('units').notNull(),
    chargedUnits: integer('charged_units').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day, table.scopeId] })],
);
