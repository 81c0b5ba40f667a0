import type { attachments, deliveryStates, RecipientState, TargetKind, targetStates } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
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
import { publicationPeople, publications } from '../publications/table.ts';
import { users } from '../users/table.ts';

/** A report on its way to its targets, and afterwards what came of it. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: primaryId(),
    publicationId: belongsTo('publication_id', () => publications.id),
    /** The time of a schedule that it is part of. */
    firingId: uuid('firing_id'),
    requesterId: uuid('requester_id').references(() => users.id, { onDelete: 'set null' }),
    versionNumber: integer('version_number').notNull(),
    attachment: text('attachment').$type<(typeof attachments)[number]>().notNull(),
    message: text('message').notNull(),
    fileBlob: text('file_blob'),
    fileSize: integer('file_size'),
    pages: integer('pages'),
    state: text('state').$type<(typeof deliveryStates)[number]>().notNull(),
    reason: text('reason'),
    failedCellIds: jsonb('failed_cell_ids').$type<string[]>().notNull().default([]),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    uniqueIndex('deliveries_firing').on(table.firingId),
    index('deliveries_publication').on(table.publicationId, table.startedAt.desc()),
    index('deliveries_file_blob').on(table.fileBlob),
    index('deliveries_requester').on(table.requesterId, table.startedAt),
    // One at a time: two would be the same report twice.
    uniqueIndex('deliveries_under_way').on(table.publicationId).where(sql`${table.endedAt} is null`),
  ],
);
export type DeliveryRow = typeof deliveries.$inferSelect;

/** Mail with a report that did not arrive, or perhaps did not. */
export const isFailedMail = ({ kind, state }: { kind: AnyPgColumn; state: AnyPgColumn }) =>
  sql`${kind} = 'email' and ${state} in ('failed', 'unconfirmed')`;

export const deliveryTargets = pgTable(
  'delivery_targets',
  {
    id: primaryId(),
    deliveryId: belongsTo('delivery_id', () => deliveries.id),
    kind: text('kind').$type<TargetKind>().notNull(),
    address: text('address').notNull(),
    state: text('state').$type<(typeof targetStates)[number]>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    reason: text('reason'),
    sentAt: time('sent_at'),
  },
  (table) => [
    uniqueIndex('delivery_targets_once').on(table.deliveryId, table.kind, table.address),
    // What admins look at, in its order.
    index('delivery_targets_failed_mail').on(table.id).where(isFailedMail(table)),
  ],
);
export type DeliveryTargetRow = typeof deliveryTargets.$inferSelect;

/** Readers who get it by mail. */
export const reportSubscribers = publicationPeople('report_subscribers');

/** Addresses that want no more of a report, as hashes. */
export const reportRefusals = pgTable(
  'report_refusals',
  {
    publicationId: belongsTo('publication_id', () => publications.id),
    addressHash: text('address_hash').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.publicationId, table.addressHash] })],
);

/** Whether an address, as a hash, wants reports of an account whose projects its owner has no part in. */
export const reportConsents = pgTable(
  'report_consents',
  {
    senderId: belongsTo('sender_id', () => users.id),
    addressHash: text('address_hash').notNull(),
    state: text('state').$type<Exclude<RecipientState, 'known'>>().notNull().default('waiting'),
    /** Of the newest mail; none once it was answered. */
    tokenHash: text('token_hash'),
    askedAt: time('asked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.senderId, table.addressHash] }),
    uniqueIndex('report_consents_token').on(table.tokenHash),
  ],
);
