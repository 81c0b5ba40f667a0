import { topics } from '@atoll/contract';
import { and, count, eq, isNull } from 'drizzle-orm';
import type { Context, Write } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { message } from '../../platform/realtime/stream.ts';
import { loadPeople } from '../projects/service/relations.ts';
import { projects } from '../projects/table.ts';
import { type NotificationRow, notifications } from './table.ts';
import { notificationView } from './view.ts';

export async function unreadCount(db: Context['db'], userId: string): Promise<number> {
  const [unread] = await db
    .select({ total: count() })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)));
  return unread?.total ?? 0;
}

/** Tells somebody what happened, in the transaction in which it did. */
export async function notify(
  ctx: Context,
  write: Write,
  fields: Pick<NotificationRow, 'userId' | 'type' | 'actorId' | 'projectId'>,
): Promise<void> {
  const { tx } = write;
  const [row] = await tx
    .insert(notifications)
    .values({ ...fields, createdAt: ctx.now() })
    .returning();
  if (!row) throw new Error('The notification was not stored');
  const [project] = await tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(eq(projects.id, row.projectId ?? row.id));
  const actor = (await loadPeople(tx, row.actorId ? [row.actorId] : [])).get(row.actorId ?? '');
  const { userId } = row;
  write.publish(
    message(topics.notifications, { userId }, 'notification_created', {
      notification: notificationView(row, actor ?? null, project ?? null),
      unread_count: await unreadCount(tx, userId),
    }),
  );
}

export async function readNotification(ctx: Context, id: string): Promise<{ unread_count: number }> {
  return ctx.write(async ({ tx, publish }) => {
    const [row] = await tx.select().from(notifications).where(eq(notifications.id, id)).for('update');
    if (!row) throw notFound('This notification');
    ctx.authorize('notification.edit', row);
    if (!row.readAt) await tx.update(notifications).set({ readAt: ctx.now() }).where(eq(notifications.id, id));
    const unread = { unread_count: await unreadCount(tx, row.userId) };
    if (!row.readAt)
      publish(message(topics.notifications, { userId: row.userId }, 'notification_read', { id, ...unread }));
    return unread;
  });
}
