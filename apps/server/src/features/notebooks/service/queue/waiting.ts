import { and, asc, eq, isNull, lt, notInArray, or } from 'drizzle-orm';
import type { Person } from '../../../../platform/actor.ts';
import type { Context } from '../../../../platform/context.ts';
import type { LiveSession } from '../../../kernels/service/live-session.ts';
import { personOf } from '../../../users/service.ts';
import { users } from '../../../users/table.ts';
import { type JobRow, notebookJobs, notebooks } from '../../table.ts';
import type { Address } from '../address.ts';
import { sessionOf } from '../kernel/session.ts';

/** A waiting cell, and whether it may run in parallel with others. */
export interface Next {
  job: JobRow;
  isParallel: boolean;
  /** The person for whom the cell is run. */
  runner: Person;
}

/** For this time, queued cells of a notebook without an owner are reserved for the server that queued them. */
const unclaimedMs = 3_000;

/** Notebooks with queued cells that this server is to run, or that no server runs. */
export async function leftHere(ctx: Context): Promise<Address[]> {
  const serverId = await ctx.kernels.serverId();
  const isOurs = or(
    eq(notebooks.ownerId, serverId),
    and(
      isNull(notebooks.ownerId),
      or(eq(notebookJobs.serverId, serverId), lt(notebookJobs.queuedAt, new Date(ctx.now().getTime() - unclaimedMs))),
    ),
  );
  return ctx.db
    .selectDistinct({ fileId: notebookJobs.fileId, projectId: notebooks.projectId })
    .from(notebookJobs)
    .innerJoin(notebooks, eq(notebooks.fileId, notebookJobs.fileId))
    .where(isOurs);
}

/** The next cell to begin; null when there is none, or not yet. */
export async function nextJob(ctx: Context, address: Address, running: JobRow[]): Promise<Next | null> {
  const isBeside = running.length > 0;
  const live = isBeside ? await sessionOf(ctx, address) : null;
  if (isBeside && running.length >= roomIn(ctx, live)) return null;
  const [next] = await ctx.db
    .select({
      job: notebookJobs,
      isParallel: notebooks.isParallel,
      user: { id: users.id, role: users.role, isGuest: users.isGuest },
    })
    .from(notebookJobs)
    .innerJoin(notebooks, eq(notebooks.fileId, notebookJobs.fileId))
    .innerJoin(users, eq(users.id, notebookJobs.userId))
    .where(
      and(
        eq(notebookJobs.fileId, address.fileId),
        // A batch runs in order, and a cell shows one execution at a time.
        isBeside ? notInArray(notebookJobs.batchId, [...new Set(running.map(({ batchId }) => batchId))]) : undefined,
        isBeside ? notInArray(notebookJobs.cellId, [...new Set(running.map(({ cellId }) => cellId))]) : undefined,
      ),
    )
    .orderBy(asc(notebookJobs.state), asc(notebookJobs.place))
    .limit(1);
  if (!next || (isBeside && !next.isParallel)) return null;
  const { user, ...found } = next;
  return { ...found, runner: personOf(user) };
}

/** The number of cells that may run at once in this kernel. */
export const roomIn = (ctx: Context, live: LiveSession | null): number =>
  live?.row.features.includes('subshells') ? ctx.config.kernels.parallelCells : 1;
