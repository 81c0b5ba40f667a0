import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { othersMayChange } from '../../../projects/service/others.ts';
import { projects } from '../../../projects/table.ts';
import { kernelSessions } from '../../table.ts';
import { requestStop } from '../servers.ts';

const message =
  'The kernel was stopped because other people can change this project now, and it had your secrets in it. The next cell starts one without them.';

/**
 * Ends notebooks' kernels with secrets that other people than their owner could reach now; a run keeps its initial code.
 */
export async function endExposed(ctx: Context, projectId: string): Promise<void> {
  const withSecrets = and(
    eq(kernelSessions.projectId, projectId),
    eq(kernelSessions.purpose, 'notebook'),
    eq(kernelSessions.hasSecrets, true),
    isNull(kernelSessions.endedAt),
  );
  const isShared = await othersMayChange(ctx.db, projectId);
  const exposed = await ctx.db
    .select({ id: kernelSessions.id })
    .from(kernelSessions)
    .innerJoin(projects, eq(projects.id, kernelSessions.projectId))
    .where(isShared ? withSecrets : and(withSecrets, ne(kernelSessions.userId, projects.ownerId)));
  for (const { id } of exposed) await requestStop(ctx, id, { reason: 'shared', message });
}
