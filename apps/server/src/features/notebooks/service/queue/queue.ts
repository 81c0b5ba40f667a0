import { randomUUID } from 'node:crypto';
import type { PersonSummary, QueuedCell } from '@atoll/contract';
import { codeOf, compareCells, isSkipped } from '@atoll/notebook';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { newId } from '../../../../platform/db/columns.ts';
import { preparedInsert } from '../../../../platform/db/prepared-statement.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { type JobRow, notebookJobs } from '../../table.ts';
import type { Address } from '../address.ts';
import { adopt, liveCells, lockNotebookRow } from '../document/adopt.ts';
import { inPersonJobs, isInPerson } from '../kernel-calls.ts';
import { ownershipOf, requireOwner } from './owner.ts';
import { queueFacts } from './queue-facts.ts';
import { publishQueue, queueChanged, queuedCellView, queueOf } from './queue-view.ts';
import type { Next } from './waiting.ts';

export interface EnqueueInput {
  /** Null: all cells. */
  cellIds: string[] | null;
  /** Wakes the runner of the notebook when there is something to run. */
  wake: (first?: First) => void;
  /** The assistant chose these cells, not a person. */
  isByAssistant?: boolean;
}

/** The first cell in its queue, with facts that were just read, so that it can run at once. */
export interface First extends Next {
  sessionId: string | null;
  user: PersonSummary | null;
  mayEdit: boolean;
  ahead?: Promise<{ sessionId: string; longestMs: number | null } | null>;
}

export function enqueue(ctx: Context, address: Address, input: EnqueueInput): Promise<{ queue: QueuedCell[] }> {
  return enqueueCells(ctx, address, input, async (write) => {
    const { abilities } = await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    await requireOwner(ctx.within(write), address);
    return { mayEdit: abilities.includes('edit') };
  });
}

/** Adds cells to the end of the queue, in this order, as one batch; cells that wait already are not added again. */
export async function enqueueCells(
  ctx: Context,
  address: Address,
  { cellIds, wake, isByAssistant = false }: EnqueueInput,
  /** The permission check is sent with the other reads; its error wins. */
  permit: (write: Write) => Promise<{ mayEdit: boolean } | null> = async () => null,
): Promise<{ queue: QueuedCell[] }> {
  return ctx.write(async (write) => {
    const { userId } = ctx;
    const permitting = permit(write);
    // A notebook of a server that is gone is taken over first, with its queue.
    if (!ownershipOf(ctx).has(address.fileId)) await permitting;
    const loadingFacts = queueFacts(write.tx, address, { userId, cellIds });
    loadingFacts.catch(() => {});
    const rights = await permitting;
    const [{ notebook, file, cells: found, queued, user }, serverId] = await Promise.all([
      loadingFacts,
      ctx.kernels.serverId(),
    ]);
    const isReady = notebook !== null && notebook.baseVersion === file?.version;
    const { sessionId, isParallel } = isReady ? notebook : (await adopt(ctx, write, address)).row;
    const cells = isReady ? found : await liveCells(write.tx, address.fileId, cellIds ?? undefined);
    const byId = new Map(cells.map((cell) => [cell.id, cell]));
    const wanted =
      cellIds === null
        ? cells.filter((cell) => !isSkipped(cell)).sort(compareCells)
        : cellIds.flatMap((id) => byId.get(id) ?? []);
    if (cellIds && wanted.length === 0) throw notFound('This cell');
    const taken = new Set(queued.flatMap((job) => (job.state === 'waiting' ? job.cellId : [])));
    const batchId = randomUUID();
    let place = queued.reduce((last, job) => Math.max(last, job.place), 0);
    const jobs = wanted.flatMap((cell): JobRow[] => {
      const code = codeOf(cell);
      if (code === null || taken.has(cell.id)) return [];
      taken.add(cell.id);
      place += 1;
      return [
        {
          id: newId(),
          fileId: address.fileId,
          cellId: cell.id,
          batchId,
          userId,
          code,
          place,
          state: 'waiting',
          question: null,
          serverId,
          queuedAt: ctx.now(),
        },
      ];
    });
    const [job] = jobs;
    if (job && jobs.length === 1) write.last(() => write.tx.execute(queueing(job)).execute());
    else
      for (let from = 0; from < jobs.length; from += 2_000) {
        const batch = jobs.slice(from, from + 2_000);
        write.last(() => write.tx.insert(notebookJobs).values(batch).execute());
      }
    if (isInPerson(ctx) && !isByAssistant) for (const { id } of jobs) inPersonJobs(ctx).add(id);
    const people = new Map(user ? [[userId, user]] : []);
    const queue = jobs.map((job) => queuedCellView(job, people));
    if (jobs.length > 0) write.publish(queueChanged(address, { changed: queue, removed_ids: [] }));
    const isFirst = queued.length === 0 && job !== undefined && rights !== null;
    write.after(() => wake(isFirst ? { job, isParallel, runner: ctx.actor, sessionId, user, ...rights } : undefined));
    return { queue };
  });
}

const queueing = preparedInsert(notebookJobs);

const waitingOf = (fileId: string) => and(eq(notebookJobs.fileId, fileId), eq(notebookJobs.state, 'waiting'));

async function remove(write: Write, address: Address, which: ReturnType<typeof and>): Promise<void> {
  const gone = await write.tx
    .delete(notebookJobs)
    .where(and(waitingOf(address.fileId), which))
    .returning({ id: notebookJobs.id });
  await publishQueue(
    write,
    address,
    [],
    gone.map(({ id }) => id),
  );
}

/** Removes waiting cells from the queue; running cells continue. */
export async function cancelJobs(ctx: Context, address: Address, ids: string[]): Promise<{ queue: QueuedCell[] }> {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    await remove(write, address, inArray(notebookJobs.id, ids));
    return { queue: await queueOf(write.tx, address.fileId) };
  });
}

export async function emptyQueue(write: Write, address: Address): Promise<void> {
  await lockNotebookRow(write, address.fileId);
  await remove(write, address, undefined);
}

export async function dropJobsOf(write: Write, address: Address, cellIds: string[]): Promise<void> {
  if (cellIds.length > 0) await remove(write, address, inArray(notebookJobs.cellId, cellIds));
}

/** Removes the rest of the batch of a cell that failed. */
export const dropBatch = (write: Write, address: Address, batchId: string): Promise<void> =>
  remove(write, address, eq(notebookJobs.batchId, batchId));

export async function moveJob(
  ctx: Context,
  address: Address,
  id: string,
  afterId: string | null,
): Promise<{ queue: QueuedCell[] }> {
  return ctx.write(async (write) => {
    await requireProject(ctx, write.tx, address.projectId, 'project.execute');
    const jobs = await write.tx
      .select()
      .from(notebookJobs)
      .where(eq(notebookJobs.fileId, address.fileId))
      .orderBy(asc(notebookJobs.place))
      .for('update');
    const job = jobs.find((each) => each.id === id && each.state === 'waiting');
    if (!job) throw new AppError('conflict', 'This cell is not queued any more.', { details: { reason: 'stale' } });
    const others = jobs.filter((each) => each.id !== id);
    const running = others.findLastIndex(({ state }) => state === 'running');
    const after =
      afterId === null
        ? running
        : Math.max(
            running,
            others.findIndex((each) => each.id === afterId),
          );
    const before = others[after]?.place ?? (others[0]?.place ?? 1) - 2;
    const place = (before + (others[after + 1]?.place ?? before + 2)) / 2;
    await write.tx.update(notebookJobs).set({ place }).where(eq(notebookJobs.id, id));
    await publishQueue(write, address, [{ ...job, place }]);
    return { queue: await queueOf(write.tx, address.fileId) };
  });
}
