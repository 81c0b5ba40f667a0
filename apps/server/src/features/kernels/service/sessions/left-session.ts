import type { HostKernel } from '@atoll/kernels/client';
import type { Collected, Mask } from '@atoll/notebook';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type ExecutionRow, executionOutputs, executions, type KernelSessionRow } from '../../table.ts';
import { ProjectMirror } from '../folder/project-mirror.ts';
import { Lease } from '../lease.ts';
import { maskOf, secretsOf } from '../secrets.ts';

interface Left {
  mirror: ProjectMirror | null;
  mask: Mask;
  lease: Lease | null;
  going: { execution: ExecutionRow; collected: Collected }[];
}

/** What is known of a kernel that an earlier life of this server has left: all that is needed to go on with it. */
export async function leftOf(ctx: Context, row: KernelSessionRow, kernel: HostKernel): Promise<Left> {
  const { userId, projectId } = row;
  const environment = projectId ? await secretsOf(ctx, ctx.db, { userId, projectId }) : {};
  // What it was started with is what it can show; a secret may have been changed since.
  const mask = maskOf(kernel.environment, environment);
  const mirror = kernel.folder && row.projectId ? new ProjectMirror(ctx, kernel.folder, row) : null;
  await mirror?.remember();
  const unfinished = await ctx.db
    .select()
    .from(executions)
    .where(and(eq(executions.sessionId, row.id), isNull(executions.endedAt)));
  const going: Left['going'] = [];
  for (const execution of unfinished) {
    const outputs = await ctx.db
      .select()
      .from(executionOutputs)
      .where(eq(executionOutputs.executionId, execution.id))
      .orderBy(asc(executionOutputs.index));
    going.push({ execution, collected: { outputs, clearsWithNext: execution.clearsWithNext } });
  }
  return { mirror, mask, lease: await Lease.of(ctx, row), going };
}
