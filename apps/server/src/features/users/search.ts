import type { Paging } from '@atoll/contract';
import { and, asc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { containing, startingWith } from '../../platform/like.ts';
import { userSearchText, users } from './table.ts';
import type { Person } from './view.ts';

/** Who hides is found only by somebody who knows the exact name or address already; the closest name comes first. */
export async function findPeople(
  ctx: Context,
  input: Paging & { search?: string },
): Promise<{ people: Person[]; total: number }> {
  const wanted = (input.search ?? '').replace(/^@/, '').toLowerCase();
  const isNamed = eq(sql`lower(${users.userName})`, wanted);
  // An address nobody has proven to be theirs could be anybody's.
  const isAddressed = and(eq(sql`lower(${users.email})`, wanted), isNotNull(users.emailConfirmedAt));
  const isAlike = and(eq(users.isDiscoverable, true), sql`${userSearchText(users)} like ${containing(wanted)}`);
  const matches = and(eq(users.isGuest, false), isNull(users.suspendedAt), or(isNamed, isAddressed, isAlike));
  const { id, userName, firstName, lastName, avatarAssetId } = users;
  const people = await ctx.db
    .select({ id, userName, firstName, lastName, avatarAssetId })
    .from(users)
    .where(matches)
    .orderBy(
      sql`lower(${users.userName}) = ${wanted} desc`,
      sql`lower(${users.userName}) like ${startingWith(wanted)} desc`,
      asc(sql`lower(${users.userName})`),
    )
    .limit(input.page_size)
    .offset((input.page - 1) * input.page_size);
  const total = await ctx.db.$count(users, matches);
  return { people, total };
}
