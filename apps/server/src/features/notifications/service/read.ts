import {
  type Notification,
  type NotificationGroup,
  notificationDeclarations,
  notificationTypes,
  type Paging,
  topics,
} from '@atoll/contract';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { requireTeam } from '../../teams/service/access.ts';
import { notifications, teamNotifications } from '../table.ts';
import { unreadCount } from './notify.ts';
import { forReader } from './relations.ts';

const isOfGroup = (group: NotificationGroup | undefined) =>
  group
    ? inArray(
        notifications.type,
        notificationTypes.filter((type) => notificationDeclarations[type].group === group),
      )
    : undefined;

export async function listNotifications(
  ctx: Context,
  query: Paging & { group?: NotificationGroup; is_unread?: boolean },
): Promise<{ entries: Notification[]; total: number; unread_count: number }> {
  const { userId } = ctx;
  const where = and(
    eq(notifications.userId, userId),
    isOfGroup(query.group),
    query.is_unread ? isNull(notifications.readAt) : undefined,
  );
  const page = ctx.db
    .select()
    .from(notifications)
    .where(where)
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const [entries, total, unread_count] = await Promise.all([
    page.then((rows) => forReader(ctx, ctx.db, ctx.actor, rows)),
    ctx.db.$count(notifications, where),
    unreadCount(ctx.db, userId),
  ]);
  return { entries, total, unread_count };
}

export async function readNotification(ctx: Context, id: string): Promise<{ unread_count: number }> {
  return ctx.write(async ({ tx, publish }) => {
    const [row] = await tx.select().from(notifications).where(eq(notifications.id, id)).for('update');
    if (!row) throw notFound('This notification');
    ctx.authorize('notification.edit', row);
    if (!row.readAt) await tx.update(notifications).set({ readAt: ctx.now() }).where(eq(notifications.id, id));
    const unread = { unread_count: await unreadCount(tx, row.userId) };
    if (!row.readAt) publish(message(topics.person, { userId: row.userId }, 'notification_read', { id, ...unread }));
    return unread;
  });
}

export async function readAll(ctx: Context, group?: NotificationGroup): Promise<{ unread_count: number }> {
  const { userId } = ctx;
  return ctx.write(async ({ tx, publish }) => {
    const read = await tx
      .update(notifications)
      .set({ readAt: ctx.now() })
      .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), isOfGroup(group)))
      .returning({ id: notifications.id });
    const unread = { unread_count: await unreadCount(tx, userId) };
    if (read.length > 0) publish(message(topics.person, { userId }, 'notifications_read', unread));
    return unread;
  });
}

/** What happened in a team, for those who are in it. */
export async function listTeamNotifications(
  ctx: Context,
  teamId: string,
  { page, page_size }: Paging,
): Promise<{ entries: Notification[]; total: number }> {
  const { role } = await requireTeam(ctx, ctx.db, teamId, 'team.view');
  if (!role && !ctx.actor.isAdmin) throw denied('no_permissions', 'Only members can see the activity of a team.');
  const where = eq(teamNotifications.teamId, teamId);
  const rows = await ctx.db
    .select()
    .from(teamNotifications)
    .where(where)
    .orderBy(desc(teamNotifications.createdAt), desc(teamNotifications.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(teamNotifications, where);
  const told = rows.map((row) => ({ ...row, entityType: null, entityId: null, readAt: row.createdAt }));
  return { entries: await forReader(ctx, ctx.db, ctx.actor, told), total };
}
