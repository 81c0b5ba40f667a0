import { defaultPlan } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { projects } from '../../../projects/table.ts';
import { trials } from '../../../subscriptions/table.ts';
import { findUser } from '../../../users/service.ts';
import type { KernelSessionRow } from '../../table.ts';

/** Network needs an operator who has enabled it, a project that wants it, and a person who is accountable for its use. */
export async function mayUseNetwork(ctx: Context, { userId, projectId }: KernelSessionRow): Promise<boolean> {
  if (!ctx.config.kernels.hasNetwork || !projectId) return false;
  const [project] = await ctx.db
    .select({ usesNetwork: projects.usesNetwork })
    .from(projects)
    .where(eq(projects.id, projectId));
  const user = project?.usesNetwork ? await findUser(ctx.db, userId) : null;
  if (!user || user.isGuest) return false;
  if (user.role === 'admin') return true;
  const [trial] = await ctx.db
    .select({ userId: trials.userId })
    .from(trials)
    .where(and(eq(trials.userId, userId), isNull(trials.endedAt)));
  return user.plan !== defaultPlan && !trial;
}
