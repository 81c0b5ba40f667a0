import {
  type EntityType,
  type NotificationMetadata,
  type NotificationType,
  notificationDeclarations,
  topics,
} from '@atoll/contract';
import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/postgres-session.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { message } from '../../../platform/realtime/stream.ts';
import type { Asker } from '../../projects/service/who-may.ts';
import { projects } from '../../projects/table.ts';
import { teams } from '../../teams/table.ts';
import { preferencesOf, type UserRow, users } from '../../users/table.ts';
import { type NotificationRow, notifications, teamNotifications } from '../table.ts';
import { forReaders } from './relations.ts';

export interface News {
  type: NotificationType;
  actorId: string | null;
  subjectId?: string | null;
  projectId?: string | null;
  teamId?: string | null;
  /** What it is about, when that is not the project, the team or a person. */
  entity?: { type: EntityType; id: string };
  metadata?: NotificationMetadata;
  /** Tells this apart from everything else somebody is told: with the same key they are told once. */
  key: string;
}

type Reader = Database | Transaction;

/** Each who wants to hear of it is told, and never whoever did it. */
export const notify = (ctx: Context, recipients: string[], news: News): Promise<void> =>
  ctx.write((write) => notifyIn(ctx, write, recipients, news));

async function notifyIn(ctx: Context, write: Write, recipients: string[], news: News): Promise<void> {
  const ids = [...new Set(recipients)].filter((id) => id !== news.actorId);
  if (ids.length === 0) return;
  const { id, role, preferences, email, emailConfirmedAt } = users;
  const people = await write.tx
    .select({ id, role, preferences, email, emailConfirmedAt })
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.isGuest, false), isNull(users.suspendedAt)));
  const readers = people.flatMap((person) => {
    const mailedAt = mailedFrom(ctx, person, news.type);
    return mailedAt === 'unwanted' ? [] : [{ id: newId(), user_id: person.id, mailed_at: mailedAt }];
  });
  const stored = await store(ctx, write, news, readers);
  const isAdmin = new Map(people.map((person) => [person.id, person.role === 'admin']));
  await publishLive(
    ctx,
    write,
    stored.map(({ userId }) => ({ userId, isAdmin: isAdmin.get(userId) ?? false })),
    stored,
  );
}

/** One statement of one text for any number of readers, so that it is parsed once. What is about something gone is not stored. */
async function store(
  ctx: Context,
  { tx }: Write,
  { key, metadata = {}, ...news }: News,
  readers: { id: string; user_id: string; mailed_at: Date | null }[],
): Promise<NotificationRow[]> {
  if (readers.length === 0) return [];
  const row = {
    type: news.type,
    actorId: news.actorId,
    subjectId: news.subjectId ?? null,
    projectId: news.projectId ?? null,
    teamId: news.teamId ?? null,
    entityType: news.entity?.type ?? null,
    entityId: news.entity?.id ?? null,
    metadata,
    eventKey: key,
    createdAt: ctx.now(),
    readAt: null,
  };
  const rows = rowsOf<{ id: string }>(
    await tx.execute(sql`${prepared} insert into ${notifications}
      (id, user_id, mailed_at, type, actor_id, subject_id, project_id, team_id, entity_type, entity_id, metadata, event_key, created_at)
    select reader.*, ${row.type}, ${row.actorId}::uuid, ${row.subjectId}::uuid, ${row.projectId}::uuid, ${row.teamId}::uuid,
      ${row.entityType}, ${row.entityId}::uuid, ${JSON.stringify(metadata)}::jsonb, ${key}, ${row.createdAt.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(readers)}::jsonb) as reader (id uuid, user_id uuid, mailed_at timestamptz)
    where ${isThere(users, row.actorId)} and ${isThere(users, row.subjectId)} and ${isThere(projects, row.projectId)}
      and ${isThere(teams, row.teamId)}
    on conflict do nothing returning id`),
  );
  const isStored = new Set(rows.map(({ id }) => id));
  return readers
    .filter(({ id }) => isStored.has(id))
    .map(({ id, user_id, mailed_at }) => ({ ...row, id, userId: user_id, mailedAt: mailed_at }));
}

const isThere = (table: PgTable, id: string | null) =>
  sql`(${id}::uuid is null or exists (select from ${table} where id = ${id}::uuid))`;

type Mailable = Pick<UserRow, 'preferences' | 'email' | 'emailConfirmedAt'>;

/** Null waits for the next digest. */
function mailedFrom(ctx: Context, user: Mailable, type: NotificationType): Date | null | 'unwanted' {
  const preferences = preferencesOf(user);
  const choice = preferences.notifications[notificationDeclarations[type].group];
  if (choice === 'off') return 'unwanted';
  const isMailed = choice === 'email' && preferences.email_notifications && user.email && user.emailConfirmedAt;
  return isMailed ? null : ctx.now();
}

async function publishLive(
  ctx: Context,
  { tx, publish }: Write,
  readers: Asker[],
  rows: NotificationRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const [unread, words] = await Promise.all([
    unreadCounts(
      tx,
      rows.map((row) => row.userId),
    ),
    forReaders(ctx, tx, readers, rows),
  ]);
  for (const [place, { userId }] of rows.entries()) {
    const notification = words[place];
    const unread_count = unread.get(userId) ?? 0;
    if (notification)
      publish(message(topics.person, { userId }, 'notification_created', { notification, unread_count }));
  }
}

export async function unreadCounts(db: Reader, userIds: string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ userId: notifications.userId, total: count() })
    .from(notifications)
    .where(and(inArray(notifications.userId, userIds), isNull(notifications.readAt)))
    .groupBy(notifications.userId);
  return new Map(rows.map(({ userId, total }) => [userId, total]));
}

export const unreadCount = async (db: Reader, userId: string): Promise<number> =>
  (await unreadCounts(db, [userId])).get(userId) ?? 0;

/** Once for all members of a team, who read it there. */
export async function notifyTeam(ctx: Context, { tx }: Write, teamId: string, news: News): Promise<void> {
  await tx
    .insert(teamNotifications)
    .values({
      teamId,
      type: news.type,
      actorId: ifThere(news.actorId),
      subjectId: ifThere(news.subjectId ?? null),
      projectId: sql`(select ${projects.id} from ${projects} where ${projects.id} = ${news.projectId ?? null})`,
      metadata: news.metadata ?? {},
      eventKey: news.key,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing();
}

/** Whoever is gone meanwhile is nobody. */
const ifThere = (userId: string | null) => sql`(select ${users.id} from ${users} where ${users.id} = ${userId})`;
