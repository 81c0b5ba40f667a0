import type { firingStates, ScheduleInterval, scheduleTypes, Weekday } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { publications } from '../publications/table.ts';
import { runs } from '../runs/table.ts';
import { users } from '../users/table.ts';

/** Of a file, or of its publication: then each run is published and delivered too. */
export const schedules = pgTable(
  'schedules',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: belongsTo('file_id', () => files.id),
    publicationId: uuid('publication_id').references(() => publications.id, { onDelete: 'cascade' }),
    /** In whose name it runs. */
    ownerId: belongsTo('owner_id', () => users.id),
    type: text('type').$type<(typeof scheduleTypes)[number]>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    startsAt: time('starts_at').notNull(),
    timeZone: text('time_zone').notNull(),
    intervalType: text('interval_type').$type<ScheduleInterval>().notNull(),
    intervalValue: integer('interval_value').notNull(),
    allowedDays: jsonb('allowed_days').$type<Weekday[]>().notNull(),
    isWithSecrets: boolean('is_with_secrets').notNull(),
    lastRunAt: time('last_run_at'),
    /** Null while it is paused, and after the last time. A job for this time is in the queue. */
    nextRunAt: time('next_run_at'),
    failuresInRow: integer('failures_in_row').notNull().default(0),
    pausedReason: text('paused_reason'),
    /** It stopped at changes by others, and goes on when its owner has accepted them. */
    isAwaitingReview: boolean('is_awaiting_review').notNull().default(false),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    index('schedules_of_file').on(table.fileId),
    uniqueIndex('schedules_file').on(table.fileId).where(sql`${table.publicationId} is null`),
    uniqueIndex('schedules_publication').on(table.publicationId),
    index('schedules_owner').on(table.ownerId),
    index('schedules_project').on(table.projectId),
    index('schedules_next').on(table.nextRunAt).where(sql`${table.nextRunAt} is not null`),
  ],
);
export type ScheduleRow = typeof schedules.$inferSelect;

/** One row for each time that came; the index makes it one, whichever server is first. */
export const scheduleFirings = pgTable(
  'schedule_firings',
  {
    id: primaryId(),
    scheduleId: belongsTo('schedule_id', () => schedules.id),
    scheduledFor: time('scheduled_for').notNull(),
    trigger: text('trigger').$type<'schedule' | 'manual'>().notNull(),
    /** Who started it by hand; otherwise it runs in the name of the schedule's owner. */
    starterId: uuid('starter_id').references(() => users.id, { onDelete: 'set null' }),
    missedCount: integer('missed_count').notNull().default(0),
    state: text('state').$type<(typeof firingStates)[number]>().notNull(),
    reason: text('reason'),
    runId: uuid('run_id').references(() => runs.id, { onDelete: 'set null' }),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('schedule_firings_starter').on(table.starterId).where(sql`${table.starterId} is not null`),
    uniqueIndex('schedule_firings_once').on(table.scheduleId, table.scheduledFor),
    index('schedule_firings_newest').on(table.scheduleId, table.startedAt.desc()),
    index('schedule_firings_run').on(table.runId),
    index('schedule_firings_running').on(table.startedAt).where(sql`${table.state} = 'running'`),
  ],
);
export type FiringRow = typeof scheduleFirings.$inferSelect;
