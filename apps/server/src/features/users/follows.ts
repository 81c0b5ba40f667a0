import type { Paging } from '@atoll/contract';
import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { nobody } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { findUserByName, viewUser } from './service.ts';
import { type UserRow, userFollows, users } from './table.ts';

export interface Profile {
  user: UserRow;
  followers: number;
  following: number;
  isFollowed: boolean;
}

export async function viewProfile(ctx: Context, name: string): Promise<Profile> {
  const user = await findUserByName(ctx.db, name);
  if (!user) throw notFound('This person');
  ctx.authorize('user.view', user);
  return profileOf(ctx, user);
}

async function profileOf(ctx: Context, user: UserRow): Promise<Profile> {
  return {
    user,
    followers: await ctx.db.$count(userFollows, eq(userFollows.followeeId, user.id)),
    following: await ctx.db.$count(userFollows, eq(userFollows.followerId, user.id)),
    isFollowed: (await followedAmong(ctx, [user.id])).has(user.id),
  };
}

async function followedAmong(ctx: Context, ids: string[]): Promise<Set<string>> {
  if (!ctx.actor.userId || ids.length === 0) return new Set();
  const rows = await ctx.db
    .select({ id: userFollows.followeeId })
    .from(userFollows)
    .where(and(eq(userFollows.followerId, ctx.actor.userId), inArray(userFollows.followeeId, ids)));
  return new Set(rows.map((row) => row.id));
}

/** Following twice is following once. */
export async function follow(ctx: Context, id: string): Promise<Profile> {
  if (id === ctx.actor.userId) throw new AppError('unprocessable_entity', 'You cannot follow yourself.');
  const user = await viewUser(ctx, id);
  const followerId = ctx.userId;
  await ctx.write(async ({ tx, emit }) => {
    const added = await tx
      .insert(userFollows)
      .values({ followerId, followeeId: id, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning();
    if (added.length > 0) await emit('user.followed', { user_id: id, by_user_id: followerId });
  });
  return profileOf(ctx, user);
}

export async function unfollow(ctx: Context, id: string): Promise<Profile> {
  await ctx.write(({ tx }) =>
    tx
      .delete(userFollows)
      .where(and(eq(userFollows.followerId, ctx.actor.userId ?? nobody), eq(userFollows.followeeId, id))),
  );
  return profileOf(ctx, await viewUser(ctx, id));
}

export interface Followed {
  user: UserRow;
  isFollowed: boolean;
}

/** Who chose not to be found is counted and not named. */
export async function listFollows(
  ctx: Context,
  id: string,
  { type, page, page_size }: Paging & { type: 'followers' | 'following' },
): Promise<{ people: Followed[]; total: number }> {
  await viewUser(ctx, id);
  const [of, them] =
    type === 'followers'
      ? [userFollows.followeeId, userFollows.followerId]
      : [userFollows.followerId, userFollows.followeeId];
  const where = and(eq(of, id), eq(users.isDiscoverable, true), eq(users.isGuest, false));
  const rows = await ctx.db
    .select({ user: users })
    .from(userFollows)
    .innerJoin(users, eq(users.id, them))
    .where(where)
    .orderBy(desc(userFollows.createdAt), desc(users.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const [found] = await ctx.db
    .select({ total: count() })
    .from(userFollows)
    .innerJoin(users, eq(users.id, them))
    .where(where);
  const followed = await followedAmong(
    ctx,
    rows.map(({ user }) => user.id),
  );
  return {
    people: rows.map(({ user }) => ({ user, isFollowed: followed.has(user.id) })),
    total: found?.total ?? 0,
  };
}
