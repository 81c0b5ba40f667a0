import {
  type Notification,
  type NotificationMetadata,
  type NotificationType,
  notificationGroupOf,
  topics,
} from '@atoll/contract';
import { and, count, eq, inArray, isNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { projects } from '../../projects/table.ts';
import { preferencesOf, type UserRow, users } from '../../users/table.ts';
import { type NotificationRow, notifications, teamNotifications } from '../table.ts';
import { forReader } from './relations.ts';

export interface News {
  type: NotificationType;
  actorId: string | null;
  subjectId?: string | null;
  projectId?: string | null;
  teamId?: string | null;
  commentId?: string | null;
  metadata?: NotificationMetadata;
  /** Tells this apart from everything else somebody is told: with the same key they are told once. */
  key: string;
}

type Reader = Database | Transaction;

/** Tells people what happened: each who wants to hear of it, and never whoever did it. */
export async function notify(ctx: Context, write: Write, recipients: string[], news: News): Promise<void> {
  const ids = [...new Set(recipients)].filter((id) => id !== news.actorId);
  if (ids.length === 0) return;
  const people = await write.tx
    .select()
    .from(users)
    .where(and(inArray(users.id, ids), eq(users.isGuest, false), isNull(users.suspendedAt)));
  const { key, ...fields } = news;
  const rows = people.flatMap((user) => {
    const mailedAt = mailedFrom(ctx, user, news.type);
    return mailedAt === 'unwanted'
      ? []
      : [
          {
            ...fields,
            metadata: fields.metadata ?? {},
            userId: user.id,
            eventKey: key,
            createdAt: ctx.now(),
            mailedAt,
          },
        ];
  });
  if (rows.length === 0) return;
  const stored = await write.tx.insert(notifications).values(rows).onConflictDoNothing().returning();
  await tell(write, stored);
}

/** Null waits for the next digest. */
function mailedFrom(ctx: Context, user: UserRow, type: NotificationType): Date | null | 'unwanted' {
  const preferences = preferencesOf(user);
  const choice = preferences.notifications[notificationGroupOf[type]];
  if (choice === 'off') return 'unwanted';
  const isMailed = choice === 'email' && preferences.email_notifications && user.email && user.emailConfirmedAt;
  return isMailed ? null : ctx.now();
}

/** All of the same: where everybody may see what it is about, it is put into words once. */
async function tell({ tx, publish }: Write, rows: NotificationRow[]): Promise<void> {
  const unread = await unreadCounts(
    tx,
    rows.map((row) => row.userId),
  );
  const isForAll = await isShownToAll(tx, rows[0]?.projectId ?? null);
  let words: Notification | undefined;
  for (const row of rows) {
    const { id, userId } = row;
    if (!words || !isForAll) [words] = await forReader(tx, userId, [row]);
    if (!words) continue;
    const unread_count = unread.get(userId) ?? 0;
    const notification = { ...words, id };
    publish(message(topics.notifications, { userId }, 'notification_created', { notification, unread_count }));
  }
}

async function isShownToAll(tx: Transaction, projectId: string | null): Promise<boolean> {
  if (!projectId) return true;
  const [project] = await tx
    .select({ visibility: projects.visibility, deletedAt: projects.deletedAt })
    .from(projects)
    .where(eq(projects.id, projectId));
  return project !== undefined && project.visibility !== 'private' && !project.deletedAt;
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
export async function tellTeam(ctx: Context, { tx }: Write, teamId: string, news: News): Promise<void> {
  await tx
    .insert(teamNotifications)
    .values({
      teamId,
      type: news.type,
      actorId: news.actorId,
      subjectId: news.subjectId ?? null,
      projectId: news.projectId ?? null,
      metadata: news.metadata ?? {},
      eventKey: news.key,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing();
}
