import { type ComputeTier, type NotebookKernel, type NotebookSettings, topics } from '@atoll/contract';
import type { KernelMessage } from '@atoll/kernels/client';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { AppError, denied } from '../../../../platform/errors.ts';
import { checkFlag } from '../../../../platform/flags/check-flag.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { storable } from '../../../kernels/service/store-batch.ts';
import type { Watcher } from '../../../kernels/service/watcher.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { runLimitsOf } from '../../../quota/service/limits.ts';
import { requireSelf } from '../../../users/service.ts';
import { type NotebookRow, notebookCells, notebookJobs, notebooks } from '../../table.ts';
import type { Address } from '../address.ts';
import { lockNotebook } from '../document/adopt.ts';
import { answerTo } from '../kernel-calls.ts';
import { requireOwner } from '../queue/owner.ts';
import { emptyQueue } from '../queue/queue.ts';
import { publishQueue, queueOf } from '../queue/queue-view.ts';
import { notebookRunnerOf } from '../queue/runner.ts';
import { featuresOf, kernelView } from './kernel-view.ts';
import { liveSession, requireUsable } from './session.ts';

/** Publishes changes of a notebook's kernel to the people in the notebook. */
export const notebookWatcher = (ctx: Context): Watcher => ({
  async stateChanged(write, session) {
    const [row] = await write.tx.select().from(notebooks).where(eq(notebooks.sessionId, session.id));
    if (!row) return;
    const kernel = await kernelView(write.tx, row);
    const { state } = session;
    // This transaction cannot read yet what it stores at its end.
    const now = {
      ...kernel,
      state: state === 'busy' ? ('idle' as const) : state,
      session_id: session.endedAt ? null : session.id,
      end_message: session.endedAt ? session.endMessage : null,
      features: featuresOf(session),
    };
    const { projectId, fileId } = row;
    // The kernel's features are known now, so that more cells may run at once.
    write.after(() => notebookRunnerOf(ctx).wake({ projectId, fileId }));
    write.publish(message(topics.notebook, { projectId, fileId }, 'kernel_changed', { kernel: now }));
  },
  asked(session, executionId, { prompt, isPassword }) {
    const answer = answerTo(ctx, session, executionId, prompt);
    if (answer) {
      void answer
        .then((value) => liveSession(ctx, session.id)?.host.reply(session.id, value))
        .catch((error: unknown) => ctx.log.error({ error, execution: executionId }, 'Code could not be answered'));
      return;
    }
    const question = { prompt, is_password: isPassword };
    ask(ctx, executionId, question).catch((error: unknown) =>
      ctx.log.error({ error, execution: executionId }, 'A question of the code could not be told'),
    );
  },
  async stillShown({ tx }, executionIds) {
    const isShown = and(
      inArray(notebookCells.executionId, executionIds),
      inArray(notebookCells.shown, ['execution', 'file']),
    );
    // Outputs that a save moved into the file are out of date there.
    const cells = await tx
      .update(notebookCells)
      .set({ shown: 'execution', updatesCount: sql`${notebookCells.updatesCount} + 1` })
      .where(isShown)
      .returning({ id: notebookCells.executionId });
    return cells.flatMap(({ id }) => id ?? []);
  },
  async comms(write, session, messages) {
    const [row] = await write.tx.select().from(notebooks).where(eq(notebooks.sessionId, session.id));
    if (!row) return;
    const { projectId, fileId } = row;
    for (const said of messages) {
      write.publish(message(topics.notebook, { projectId, fileId }, 'comm', storable(commView(said))));
    }
  },
});

async function ask(ctx: Context, id: string, question: NonNullable<typeof notebookJobs.$inferSelect.question> | null) {
  await ctx.write(async (write) => {
    const [job] = await write.tx.update(notebookJobs).set({ question }).where(eq(notebookJobs.id, id)).returning();
    const [row] = job ? await write.tx.select().from(notebooks).where(eq(notebooks.fileId, job.fileId)) : [];
    if (job && row) await publishQueue(write, row, [job]);
  });
}

function commView({ type, content, metadata, buffers }: KernelMessage) {
  const { comm_id, target_name, data } = content;
  return {
    type: type as 'comm_msg',
    comm_id: String(comm_id ?? ''),
    target_name: typeof target_name === 'string' ? target_name : null,
    data: (data ?? {}) as Record<string, unknown>,
    metadata,
    buffers: buffers.map((buffer) => Buffer.from(buffer).toString('base64')),
  };
}

export async function replyInput(ctx: Context, address: Address, id: string, value: string) {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    const inner = ctx.within(write);
    await requireOwner(inner, address);
    await requireUsable(inner, address);
    const [job] = await write.tx.select().from(notebookJobs).where(eq(notebookJobs.id, id)).for('update');
    if (!job?.question || job.fileId !== address.fileId) {
      throw new AppError('conflict', 'Nothing is asked for any more.', { details: { reason: 'stale' } });
    }
    await write.tx.update(notebookJobs).set({ question: null }).where(eq(notebookJobs.id, id));
    await publishQueue(write, address, [{ ...job, question: null }]);
    write.after(() => notebookRunnerOf(ctx).reply(address, value));
    return { queue: await queueOf(write.tx, address.fileId) };
  });
}

/** Interrupts all running cells and empties the queue, or interrupts only one. */
export async function interruptNotebook(ctx: Context, address: Address, id?: string) {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    await requireOwner(ctx.within(write), address);
    if (!id) await emptyQueue(write, address);
    write.after(() => notebookRunnerOf(ctx).interrupt(address, id));
    return { queue: await queueOf(write.tx, address.fileId) };
  });
}

/** Restarts the kernel without its state; an ended kernel starts with the next cell. */
export async function restartKernel(ctx: Context, address: Address): Promise<{ kernel: NotebookKernel }> {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    await requireOwner(ctx.within(write), address);
    await emptyQueue(write, address);
    write.after(() => notebookRunnerOf(ctx).restart(address, ctx.actor.userId));
    return { kernel: await currentKernel(write, address) };
  });
}

async function currentKernel({ tx }: Write, { fileId }: Address): Promise<NotebookKernel> {
  const [row] = await tx.select().from(notebooks).where(eq(notebooks.fileId, fileId));
  return kernelView(tx, row ?? null);
}

export async function stopKernel(ctx: Context, address: Address): Promise<{ kernel: NotebookKernel }> {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    await emptyQueue(write, address);
    write.after(() => notebookRunnerOf(ctx).end(address, 'The kernel was shut down.'));
    return { kernel: { ...(await currentKernel(write, address)), state: 'ended', session_id: null } };
  });
}

async function change(
  ctx: Context,
  address: Address,
  permission: 'project.execute' | 'project.edit',
  values: Partial<NotebookRow>,
  publish: (write: Write, row: NotebookRow) => Promise<void> | void,
): Promise<NotebookRow> {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, permission);
    await lockNotebook(write, address);
    const [row] = await write.tx.update(notebooks).set(values).where(eq(notebooks.fileId, address.fileId)).returning();
    if (!row) throw new Error('The notebook was not stored');
    await publish(write, row);
    return row;
  });
}

/** Chooses the kernel and its size; the running kernel is ended for it. */
async function chooseKernel(ctx: Context, address: Address, values: Partial<NotebookRow>, why: string) {
  let kernel: NotebookKernel | null = null;
  await change(ctx, address, 'project.execute', values, async (write, row) => {
    kernel = await kernelView(write.tx, row);
    write.publish(message(topics.notebook, { ...address }, 'kernel_changed', { kernel }));
    if (row.sessionId && kernel.session_id) write.after(() => notebookRunnerOf(ctx).end(address, why));
  });
  if (!kernel) throw new Error('The notebook was not stored');
  return { kernel };
}

export async function selectKernel(ctx: Context, address: Address, kernel: string | null) {
  if (kernel !== null) {
    const kinds = await (await ctx.kernels.host()).kinds();
    if (!kinds.some(({ id }) => id === kernel))
      throw new AppError('unprocessable_entity', 'There is no kernel with this name.');
  }
  return chooseKernel(ctx, address, { kernel }, 'Another kernel was selected.');
}

export async function setMemory(ctx: Context, address: Address, tier: ComputeTier) {
  const { tiers, tier: largest } = runLimitsOf(await requireSelf(ctx));
  if (!tiers.includes(tier)) {
    throw denied('usage_limit_reached', `Your plan includes servers up to ${largest}. Upgrade for more.`);
  }
  return chooseKernel(ctx, address, { tier }, 'Another server size was selected.');
}

export async function toggleGpu(ctx: Context, address: Address, isGpu: boolean) {
  if (isGpu) checkFlag(ctx, 'gpu');
  return chooseKernel(ctx, address, { isGpu }, 'The GPU was released.');
}

/** Refuses the switch where it would have no effect. */
async function requireParallel(ctx: Context, { fileId }: Address): Promise<void> {
  if (ctx.config.kernels.parallelCells === 1) {
    throw denied('disabled_in_configuration', 'This server runs one cell at a time.');
  }
  const [row] = await ctx.db.select().from(notebooks).where(eq(notebooks.fileId, fileId));
  const { features, session_id } = await kernelView(ctx.db, row ?? null);
  if (features.includes('subshells')) return;
  if (session_id) throw denied('disabled_in_configuration', 'This kernel runs one cell at a time.');
  const advice = 'Run a cell first: only a running kernel can tell whether it supports this.';
  throw new AppError('conflict', advice, { details: { reason: 'no_kernel' } });
}

export async function toggleParallel(ctx: Context, address: Address, isEnabled: boolean) {
  if (isEnabled) await requireParallel(ctx, address);
  return changeSettings(ctx, address, { isParallel: isEnabled });
}

/** Automatic runs start code, so only people who may run code can enable them. */
export async function toggleAutorun(ctx: Context, address: Address, isEnabled: boolean) {
  if (isEnabled) await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  return changeSettings(ctx, address, { autorunById: isEnabled ? ctx.actor.userId : null });
}

async function changeSettings(
  ctx: Context,
  address: Address,
  values: Pick<Partial<NotebookRow>, 'autorunById' | 'isParallel'>,
): Promise<{ settings: NotebookSettings }> {
  const viewOf = (row: NotebookRow): NotebookSettings => ({
    is_autorun_after_files_updated: row.autorunById !== null,
    is_parallel_execution_enabled: row.isParallel,
  });
  const row = await change(ctx, address, 'project.edit', values, (write, row) =>
    write.publish(message(topics.notebook, { ...address }, 'settings_changed', { settings: viewOf(row) })),
  );
  return { settings: viewOf(row) };
}
