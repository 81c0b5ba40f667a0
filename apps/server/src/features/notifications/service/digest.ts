import {
  type Notification,
  notificationPath,
  notificationWords,
  type Preferences,
  withoutMarks,
} from '@atoll/contract';
import { and, desc, eq, inArray, isNull, min } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { findUser } from '../../users/service.ts';
import { preferencesOf, users } from '../../users/table.ts';
import { notifications } from '../table.ts';
import { forReader } from './relations.ts';

const hour = 60 * 60_000;
const periods: Record<Preferences['email_digest'], number> = { hourly: hour, daily: 24 * hour, weekly: 7 * 24 * hour };
/** The rest is on the page the mail leads to. */
const listed = 20;

const waits = and(isNull(notifications.mailedAt), isNull(notifications.readAt));

/** Whoever's oldest unread news has waited as long as they chose gets one mail with all of it. */
export async function planDigests(ctx: Context): Promise<void> {
  const waiting = await ctx.db
    .select({ user: users, oldest: min(notifications.createdAt) })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(waits)
    .groupBy(users.id);
  const due = waiting.filter(
    ({ user, oldest }) => oldest && ctx.now().getTime() - oldest.getTime() >= periods[preferencesOf(user).email_digest],
  );
  if (due.length > 0)
    await ctx.write(async (write) => {
      for (const { user } of due) await write.enqueue(digestJob, { user_id: user.id }, { key: user.id });
    });
}

export const digestJob = defineJob({
  kind: 'notifications.digest',
  payload: z.object({ user_id: z.string() }),
  concurrency: 2,
  isGentle: true,
  run: ({ ctx, payload }) => sendDigest(ctx, payload.user_id),
});

/** Taken first and given back when the mail fails: two servers never mail the same. */
async function sendDigest(ctx: Context, userId: string): Promise<void> {
  const user = await findUser(ctx.db, userId);
  const taken = await ctx.db
    .update(notifications)
    .set({ mailedAt: ctx.now() })
    .where(and(eq(notifications.userId, userId), waits))
    .returning({ id: notifications.id });
  const ids = taken.map((row) => row.id);
  // The address can be another one than when they were gathered, which a stranger has.
  if (!user?.email || !user.emailConfirmedAt) return;
  if (ids.length === 0 || !preferencesOf(user).email_notifications) return;
  const rows = await ctx.db
    .select()
    .from(notifications)
    .where(inArray(notifications.id, ids))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(listed);
  const news = await forReader(ctx, ctx.db, { userId, isAdmin: user.role === 'admin' }, rows);
  try {
    await sendThemedMail(ctx, user.email, {
      subject: news.length === 1 && news[0] ? notificationWords(news[0]) : `${ids.length} new notifications`,
      greeting: user.firstName,
      lead: 'New since your last visit:',
      items: news.map((each) => itemOf(ctx, each)),
      button: 'See all notifications',
      url: `${ctx.config.url}/notifications`,
      note: 'Change what you receive, and how often, in your preferences.',
    });
  } catch (error) {
    await ctx.db.update(notifications).set({ mailedAt: null }).where(inArray(notifications.id, ids));
    throw error;
  }
}

const itemOf = (ctx: Context, news: Notification) => ({
  text: notificationWords(news),
  quote: news.metadata.excerpt && withoutMarks(news.metadata.excerpt),
  url: `${ctx.config.url}${notificationPath(news)}`,
});
