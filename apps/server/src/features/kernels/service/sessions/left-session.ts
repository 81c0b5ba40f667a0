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

/** The state of a kernel from before this server's restart: everything that is needed to resume it. */
export async function leftOf(ctx: Context, row: KernelSessionRow, kernel: HostKernel): Promise<Left> {
  const { userId, projectId } = row;
  const environment = projectId ? await secretsOf(ctx, ctx.db, { userId, projectId }) : {};
  // The kernel can show its initial secrets; a stored secret may have changed since.
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
