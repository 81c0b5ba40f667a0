import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { RatePlanRow } from '../../plans/table.ts';
import { tellQuota } from '../../quota/service/quota.ts';
import { type UserRow, users } from '../../users/table.ts';
import { subscriptionChanges } from '../table.ts';

type Change = Omit<typeof subscriptionChanges.$inferInsert, 'id' | 'createdAt'>;

/** In the history, and to the person; what is a notice reaches them as a notification too. */
export async function record(ctx: Context, write: Write, change: Change, notice: string | null = null): Promise<void> {
  const id = newId();
  await write.tx.insert(subscriptionChanges).values({ ...change, id, createdAt: ctx.now() });
  await write.emit('subscription.changed', { user_id: change.userId, change_id: id, kind: change.kind, notice });
}

/** What quota and flags go by. */
export async function setPlan(ctx: Context, write: Write, user: UserRow, plan: RatePlanRow): Promise<void> {
  if (user.plan === plan.name) return;
  await write.tx.update(users).set({ plan: plan.name }).where(eq(users.id, user.id));
  await write.emit('user.updated', { user_id: user.id, fields: ['plan'] });
  await tellQuota(ctx, write, user.id);
}
