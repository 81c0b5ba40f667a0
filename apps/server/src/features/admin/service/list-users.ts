import type { adminUserFilter, Paging } from '@atoll/contract';
import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { containing } from '../../../platform/like.ts';
import { ratePlans } from '../../plans/table.ts';
import { roles, type UserRow, userRoles, userSearchText, users } from '../../users/table.ts';
import { adminUserView } from '../view.ts';
import { countUpTo } from './count-up-to.ts';

export type UserFilter = z.output<typeof adminUserFilter>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function matching(filter: UserFilter): SQL | undefined {
  const text = filter.search?.toLowerCase().replace(/^@/, '');
  const pattern = containing(text ?? '');
  const states = {
    active: and(isNull(users.suspendedAt), isNull(users.deletedAt), eq(users.isGuest, false)),
    suspended: and(isNotNull(users.suspendedAt), isNull(users.deletedAt)),
    guest: and(sql`${users.isGuest}`, isNull(users.deletedAt)),
    deleted: isNotNull(users.deletedAt),
  };
  const hasRole = (id: string) =>
    exists(sql`(select 1 from ${userRoles} where ${userRoles.userId} = ${users.id} and ${userRoles.roleId} = ${id})`);
  return and(
    text
      ? or(
          sql`${userSearchText(users)} like ${pattern}`,
          sql`lower(${users.email}) like ${pattern}`,
          uuid.test(text) ? eq(users.id, text) : undefined,
        )
      : undefined,
    filter.state ? states[filter.state] : isNull(users.deletedAt),
    filter.role ? eq(users.role, filter.role) : undefined,
    filter.plan ? eq(users.plan, filter.plan) : undefined,
    filter.role_id ? hasRole(filter.role_id) : undefined,
  );
}

const sorts = {
  created_at: users.createdAt,
  active_at: users.activeAt,
  user_name: sql`lower(${users.userName})`,
  balance: users.balance,
};

export async function usersAt(ctx: Context, filter: UserFilter, limit: number, offset: number): Promise<UserRow[]> {
  const order = filter.direction === 'asc' ? asc : desc;
  const { role_id, ...others } = filter;
  // Ids are made in the order of time: those of one role are read in order from its index, and not all sorted.
  if (role_id && filter.sort === 'created_at') {
    const rows = await ctx.db
      .select({ user: users })
      .from(userRoles)
      .innerJoin(users, eq(users.id, userRoles.userId))
      .where(and(eq(userRoles.roleId, role_id), matching(others)))
      .orderBy(order(userRoles.userId))
      .limit(limit)
      .offset(offset);
    return rows.map(({ user }) => user);
  }
  return ctx.db
    .select()
    .from(users)
    .where(matching(filter))
    .orderBy(order(sorts[filter.sort]), order(users.id))
    .limit(limit)
    .offset(offset);
}

/** Who was deleted has no roles left, so that all who have one can be counted without looking at each person. */
function matchingRows(filter: UserFilter): SQL {
  const { role_id, search, state, role, plan } = filter;
  return role_id && !(search || state || role || plan)
    ? sql`select 1 from ${userRoles} where ${userRoles.roleId} = ${role_id}`
    : sql`select 1 from ${users} where ${matching(filter)}`;
}

export async function planTitles({ db }: Context): Promise<Map<string, string>> {
  const { name, title } = ratePlans;
  return new Map((await db.select({ name, title }).from(ratePlans)).map((plan) => [plan.name, plan.title]));
}

export async function rolesOf(ctx: Context, ids: string[]): Promise<Map<string, { id: string; name: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ userId: userRoles.userId, id: roles.id, name: roles.name })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(inArray(userRoles.userId, ids))
    .orderBy(roles.name);
  return Map.groupBy(rows, ({ userId }) => userId);
}

export async function listUsers(ctx: Context, input: UserFilter & Paging) {
  const { page, page_size, ...filter } = input;
  const rows = await usersAt(ctx, filter, page_size, (page - 1) * page_size);
  const counted = await countUpTo(ctx, matchingRows(filter));
  const roleNames = await rolesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  const plans = await planTitles(ctx);
  return {
    entries: rows.map((row) => adminUserView(row, roleNames.get(row.id) ?? [], plans)),
    page,
    page_size,
    ...counted,
  };
}
