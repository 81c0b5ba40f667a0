import { randomUUID } from 'node:crypto';
import { type EndpointInput, isNotebookPath, languageOf, type Run, type runTypes } from '@atoll/contract';
import { and, eq, isNull, max, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { assertSeen, type RequiredReview } from '../../files/service/changes.ts';
import { type FileRow, files } from '../../files/table.ts';
import { kernelFor } from '../../kernels/service/kernels.ts';
import { reserveLease } from '../../kernels/service/lease.ts';
import { requestStop } from '../../kernels/service/servers.ts';
import { saveNotebook } from '../../notebooks/service/save.ts';
import { requireLockedProject, requireProject } from '../../projects/service/access.ts';
import { countOnDay } from '../../projects/service/days.ts';
import { projects } from '../../projects/table.ts';
import { runLimitsOf } from '../../quota/service/limits.ts';
import { requireSelf } from '../../users/service.ts';
import { type RunRow, runs } from '../table.ts';
import { isRunnable } from './plan.ts';
import { requireRun, runViews } from './read.ts';
import { runnerOf } from './runner.ts';
import { publishRun, publishStatus, stoppedByHand } from './store.ts';

/** It is read whole, and written whole again with its outputs. */
const largestFile = 20 * 1024 ** 2;

interface StartOptions {
  type?: (typeof runTypes)[number];
  requiredReview?: RequiredReview | null;
  /** What has to be stored together with the run. */
  alongside?(write: Write, run: RunRow): Promise<unknown>;
}

/** Begins a run and answers at once. */
export async function startRun(
  ctx: Context,
  input: EndpointInput<'runs', 'start'>,
  { type = ctx.actor.via === 'api_key' ? 'api' : 'manual', requiredReview = null, alongside }: StartOptions = {},
): Promise<Run> {
  const { project } = await requireProject(ctx, ctx.db, input.id, 'project.execute');
  const user = await requireSelf(ctx);
  const tier = input.tier ?? 'l1';
  const { tiers, tier: largest } = runLimitsOf(user);
  if (!tiers.includes(tier)) {
    const advice = `Your plan includes servers up to ${largest}. Select a smaller one, or upgrade.`;
    throw new AppError('forbidden', advice, { details: { reason: 'usage_limit_reached' } });
  }
  const fileId = input.project_file_id ?? project.defaultFileId;
  // What is typed a moment before is run as well.
  if (fileId) await saveNotebook(ctx, fileId);
  const file = await fileToRun(ctx, input.id, fileId);
  const { parameters = {} } = input;
  if (Object.keys(parameters).length > 0) {
    checkFlag(ctx, 'execute_with_parameters');
    if (!isNotebookPath(file.path)) throw invalidField('parameters', 'Only notebooks take parameters');
  }
  const language = isNotebookPath(file.path) ? project.language : languageOf(file.path);
  const kernel = await kernelFor(ctx, { kernel: input.kernel, userId: user.id, language });
  const serverId = await ctx.kernels.serverId();
  const { run, view } = await ctx.write(async (write) => {
    const { abilities } = await requireLockedProject(ctx, write.tx, input.id, 'project.execute');
    if (requiredReview) await assertSeen(write.tx, { userId: user.id, projectId: input.id, requires: requiredReview });
    const leaseId = randomUUID();
    await reserveLease(ctx, write, leaseId, user.id);
    const [last] = await write.tx
      .select({ number: max(runs.number) })
      .from(runs)
      .where(eq(runs.projectId, input.id));
    const [run] = await write.tx
      .insert(runs)
      .values({
        projectId: input.id,
        fileId: file.id,
        filePath: file.path,
        versionId: file.versionId,
        versionNumber: file.version,
        sourceBlob: file.blob,
        number: (last?.number ?? 0) + 1,
        starterId: user.id,
        type,
        kernel,
        tier,
        leaseId,
        savesFiles: abilities.includes('edit'),
        isWithSecrets: input.with_secrets ?? false,
        requiredReview,
        parameters,
        status: 'in_progress',
        serverId,
        startedAt: ctx.now(),
      })
      .returning();
    if (!run) throw new Error('The run was not stored');
    await alongside?.(write, run);
    await write.tx
      .update(projects)
      .set({ executeCount: sql`${projects.executeCount} + 1` })
      .where(eq(projects.id, input.id));
    await countOnDay(ctx, write.tx, input.id, 'runs');
    await write.emit('run.started', { run_id: run.id, project_id: input.id });
    const view = await publishRun(write, run);
    publishStatus(write, { ...view, projectId: input.id });
    return { run, view };
  });
  runnerOf(ctx).begin(run);
  return view;
}

async function fileToRun(ctx: Context, projectId: string, fileId: string | null): Promise<FileRow> {
  if (!fileId) throw invalidField('project_file_id', 'This project has no main file: choose which file to run');
  const [file] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt)));
  if (!file) throw notFound('This file');
  if (!isRunnable(file.path)) throw invalidField('project_file_id', 'Only notebooks and scripts can be run');
  if (file.size > largestFile) throw invalidField('project_file_id', 'Files of more than 20 MB cannot be run');
  return file;
}

export async function stopRun(ctx: Context, projectId: string, runId: string): Promise<Run> {
  const row = await ctx.write(async (write) => {
    await requireProject(ctx, write.tx, projectId, 'project.execute');
    const found = await requireRun(write.tx, projectId, runId);
    if (found.status !== 'in_progress') return found;
    const [marked] = await write.tx
      .update(runs)
      .set({ stopRequestedAt: ctx.now() })
      .where(eq(runs.id, runId))
      .returning();
    return marked ?? found;
  });
  if (row.status === 'in_progress' && row.sessionId) {
    await requestStop(ctx, row.sessionId, { reason: 'stopped', message: stoppedByHand });
  }
  const [run] = await runViews(ctx.db, [row]);
  if (!run) throw notFound('This run');
  return run;
}
