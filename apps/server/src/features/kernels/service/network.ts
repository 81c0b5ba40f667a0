import { defaultPlan } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { findUser } from '../../users/service.ts';
import type { KernelSessionRow } from '../table.ts';

/** Where the operator has opened it at all, in projects that want it, for people who can be held to what they do with it. */
export async function mayUseNetwork(ctx: Context, { userId, projectId }: KernelSessionRow): Promise<boolean> {
  if (!ctx.config.kernels.hasNetwork || !projectId) return false;
  const [project] = await ctx.db
    .select({ usesNetwork: projects.usesNetwork })
    .from(projects)
    .where(eq(projects.id, projectId));
  const user = project?.usesNetwork ? await findUser(ctx.db, userId) : null;
  return user !== null && (user.role === 'admin' || (!user.isGuest && user.plan !== defaultPlan));
}
