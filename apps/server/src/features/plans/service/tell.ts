import { topics } from '@atoll/contract';
import { and, asc, eq, gt } from 'drizzle-orm';
import { z } from 'zod';
import type { Write } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { tellQuota } from '../../quota/service/quota.ts';
import { users } from '../../users/table.ts';

const day = 24 * 60 * 60_000;
const atOnce = 100;

interface Payload {
  name: string;
  after: string;
}

const kind: JobKind<Payload> = {
  kind: 'plans.tell',
  payload: z.object({ name: z.string(), after: z.string() }),
};

/** Those who were here lately and have the plan see what it includes now; everyone else does when they come. */
export const planJob = defineJob<Payload>({
  ...kind,
  concurrency: 1,
  isGentle: true,
  async run({ ctx, payload: { name, after }, write: within }) {
    const since = new Date(ctx.now().getTime() - day);
    const people = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.plan, name), gt(users.activeAt, since), gt(users.id, after)))
      .orderBy(asc(users.id))
      .limit(atOnce);
    await within(async (write) => {
      for (const { id } of people) {
        await tellQuota(ctx, write, id);
        write.publish(message(topics.person, { userId: id }, 'subscription_changed', {}));
      }
    });
    const last = people.at(-1);
    return last && people.length === atOnce ? { name, after: last.id } : undefined;
  },
});

export const tellPlan = ({ enqueue }: Write, name: string) =>
  enqueue(kind, { name, after: '00000000-0000-0000-0000-000000000000' });
