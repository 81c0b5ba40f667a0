import type { Turn } from '@atoll/agent';
import type { ToolPolicy } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { aiToolPolicies } from '../table.ts';

type Policies = Record<string, ToolPolicy>;

const isOf = (userId: string, fileId: string) =>
  and(eq(aiToolPolicies.userId, userId), eq(aiToolPolicies.fileId, fileId));

/** What the caller lets tools do in this file. */
export async function findPolicies(ctx: Context, db: Context['db'], fileId: string): Promise<Policies> {
  const [row] = await db.select().from(aiToolPolicies).where(isOf(ctx.userId, fileId));
  return row?.policies ?? {};
}

/** The caller holds the lock of the conversation. */
export async function savePolicies(ctx: Context, write: Write, fileId: string, change: Policies): Promise<Policies> {
  const policies = { ...(await findPolicies(ctx, write.tx, fileId)), ...change };
  await write.tx
    .insert(aiToolPolicies)
    .values({ userId: ctx.userId, fileId, policies })
    .onConflictDoUpdate({ target: [aiToolPolicies.userId, aiToolPolicies.fileId], set: { policies } });
  return policies;
}

/** In a turn that another person began, nothing is done unasked because the one who approved a step allows it in their own. */
export function policyInTurn(
  own: Policies,
  { turn, userId }: { turn: Turn | undefined; userId: string },
  { name, defaultPolicy }: { name: string; defaultPolicy: ToolPolicy },
): ToolPolicy {
  const chosen = own[name] ?? defaultPolicy;
  return chosen === 'always' && turn?.user?.id !== userId ? defaultPolicy : chosen;
}
