import { topics } from '@atoll/contract';
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { tellQuota } from '../../quota/service/quota.ts';
import { userRoles, users } from '../../users/table.ts';
import { ratePlans } from '../table.ts';

const day = 24 * 60 * 60_000;
const atOnce = 100;
/** More than these see it when they look again. */
const mostNamed = 1_000;

const payload = z.object({
  /** Whose: of a plan, of a role, or named. */
  name: z.string().optional(),
  role_id: z.string().optional(),
  user_ids: z.array(z.string()).optional(),
  after: z.string().default('00000000-0000-0000-0000-000000000000'),
});
type Payload = z.input<typeof payload>;

const kind: JobKind<Payload> = { kind: 'plans.tell', payload };

/** People who were here lately see what they have now; everyone else does when they come. */
export const planJob = defineJob<Payload>({
  ...kind,
  concurrency: 1,
  isGentle: true,
  async run({ ctx, payload: asked, write: within }) {
    const { name, role_id, user_ids, after } = payload.parse(asked);
    const isAsked = and(
      name === undefined ? undefined : eq(users.plan, name),
      role_id === undefined ? undefined : hasRole(role_id),
      user_ids === undefined ? undefined : inArray(users.id, user_ids),
    );
    const people = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(isAsked, wasHereLately(ctx), gt(users.id, after)))
      .orderBy(asc(users.id))
      .limit(atOnce);
    await within(async (write) => {
      for (const { id } of people) {
        await tellQuota(ctx, write, id);
        write.publish(message(topics.person, { userId: id }, 'subscription_changed', {}));
      }
    });
    const last = people.at(-1);
    return last && people.length === atOnce ? { ...asked, after: last.id } : undefined;
  },
});

const wasHereLately = (ctx: Context) => gt(users.activeAt, new Date(ctx.now().getTime() - day));

/** Given to them, or with their plan. */
const hasRole = (id: string) =>
  sql`(exists (select 1 from ${userRoles} where ${userRoles.userId} = ${users.id} and ${userRoles.roleId} = ${id}::uuid)
    or ${users.plan} in (select ${ratePlans.name} from ${ratePlans} where ${ratePlans.roleIds} ? ${id}))`;

/** Who has a role that is about to be deleted. */
export async function peopleWithRole(ctx: Context, { tx }: Write, id: string): Promise<string[]> {
  const people = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(hasRole(id), wasHereLately(ctx)))
    .limit(mostNamed);
  return people.map((each) => each.id);
}

export const tellPeople = ({ enqueue }: Write, whose: Omit<Payload, 'after'>) => enqueue(kind, whose);
