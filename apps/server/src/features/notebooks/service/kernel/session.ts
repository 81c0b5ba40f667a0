import { topics } from '@atoll/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { appState } from '../../../../platform/app-state.ts';
import type { Context } from '../../../../platform/context.ts';
import { preparedRows } from '../../../../platform/db/prepared-statement.ts';
import { AppError, denied } from '../../../../platform/errors.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { kernelSessionsOf } from '../../../kernels/service/kernel-sessions.ts';
import { kernelFor } from '../../../kernels/service/kernels.ts';
import type { LiveSession } from '../../../kernels/service/live-session.ts';
import { type KernelSessionRow, kernelSessions } from '../../../kernels/table.ts';
import { accessOf, allGranted, callerGrants } from '../../../projects/service/access.ts';
import { projects } from '../../../projects/table.ts';
import { runLimitsOf } from '../../../quota/service/limits.ts';
import { findUser } from '../../../users/service.ts';
import { notebooks } from '../../table.ts';
import type { Address } from '../address.ts';
import { ownershipOf } from '../queue/owner.ts';
import { kernelView } from './kernel-view.ts';

/** Kernels that are starting, by their notebook. */
const openings = appState(() => new Map<string, Promise<LiveSession>>());

/** Returns the kernel of a notebook, or starts one in the name of the caller. */
export async function openSession(ctx: Context, address: Address): Promise<LiveSession> {
  const opening = openings(ctx);
  const known = opening.get(address.fileId);
  if (known) return usable(ctx, await known);
  const promise = open(ctx, address).finally(() => opening.delete(address.fileId));
  opening.set(address.fileId, promise);
  return promise;
}

async function open(ctx: Context, address: Address): Promise<LiveSession> {
  const { userId } = ctx;
  const [found] = await ctx.db
    .select({ notebook: notebooks, project: projects, grants: callerGrants({ userId }) })
    .from(notebooks)
    .innerJoin(projects, eq(projects.id, notebooks.projectId))
    .where(eq(notebooks.fileId, address.fileId));
  if (!found) throw new AppError('not_found', 'This notebook was deleted.');
  const { notebook, project, grants } = found;
  const live = notebook.sessionId ? kernelSessionsOf(ctx).find(notebook.sessionId) : null;
  if (live && !live.isEnding) return usable(ctx, live);
  if (!(await ownershipOf(ctx).claim(address))) {
    const advice = 'Another server has started to run this notebook. Try again in a moment.';
    throw new AppError('conflict', advice, { details: { reason: 'busy' } });
  }
  const user = await findUser(ctx.db, userId);
  if (!user) throw new AppError('forbidden', 'Who wanted to run this is no longer here.');
  const { tiers, tier: largest } = runLimitsOf(user);
  if (!tiers.includes(notebook.tier)) {
    const advice = `Your plan includes servers up to ${largest}. Select a smaller one for this notebook, or upgrade.`;
    throw new AppError('forbidden', advice, { details: { reason: 'usage_limit_reached' } });
  }
  const kernel = await kernelFor(ctx, { kernel: notebook.kernel ?? undefined, userId, language: project.language });
  const { abilities } = accessOf(ctx.actor, project, allGranted(grants));
  return kernelSessionsOf(ctx).open({
    userId,
    projectId: project.id,
    fileId: address.fileId,
    kernel,
    tier: notebook.tier,
    purpose: 'notebook',
    savesFiles: abilities.includes('edit'),
    leaseId: null,
    noted: async (write, sessionId) => {
      const [row] = await write.tx
        .update(notebooks)
        .set({ sessionId })
        .where(eq(notebooks.fileId, address.fileId))
        .returning();
      // Counted once for each kernel, because counting each cell would make all people in the project wait for its row.
      await write.tx
        .update(projects)
        .set({ executeCount: sql`${projects.executeCount} + 1` })
        .where(eq(projects.id, project.id));
      const view = await kernelView(write.tx, row ?? null);
      write.publish(message(topics.notebook, { ...address }, 'kernel_changed', { kernel: view }));
    },
  });
}

/** Returns a session of this server by its id, if it is alive and usable. */
export function liveSession(ctx: Context, sessionId: string | null): LiveSession | null {
  const live = sessionId ? kernelSessionsOf(ctx).find(sessionId) : null;
  return live && !live.isEnding ? usable(ctx, live) : null;
}

/** Refuses sessions that the caller may not use, because running code in a kernel gives access to everything in it. */
function usable(ctx: Context, live: LiveSession): LiveSession {
  assertUsable(ctx, live.row);
  return live;
}

function assertUsable(ctx: Context, { hasSecrets, userId }: Pick<KernelSessionRow, 'hasSecrets' | 'userId'>): void {
  if (!hasSecrets || userId === ctx.actor.userId) return;
  const advice =
    'This kernel has secrets of the project’s owner in it. Ask them to restart it; then others can run code.';
  throw new AppError('conflict', advice, { details: { reason: 'secrets' } });
}

/** Loads the stored kernel session of a notebook, whichever server has it. */
export async function storedSession(ctx: Context, { fileId }: Address): Promise<KernelSessionRow | null> {
  const [found] = await ctx.db
    .select({ session: kernelSessions })
    .from(notebooks)
    .innerJoin(kernelSessions, and(eq(kernelSessions.id, notebooks.sessionId), isNull(kernelSessions.endedAt)))
    .where(eq(notebooks.fileId, fileId));
  return found?.session ?? null;
}

export async function requireUsable(ctx: Context, address: Address): Promise<void> {
  const session = await storedSession(ctx, address);
  if (session) assertUsable(ctx, session);
}

const notebookByFile = preparedRows(notebooks, { where: sql`file_id = ${sql.placeholder('fileId')}` });

/** Returns the kernel of a notebook, if this server has it. */
export async function sessionOf(ctx: Context, { fileId }: Address): Promise<LiveSession | null> {
  const [row] = await notebookByFile(ctx.db, { fileId });
  const live = row?.sessionId ? kernelSessionsOf(ctx).find(row.sessionId) : null;
  return live && !live.isEnding ? live : null;
}

/** The same, and refuses a session that the caller may not use. */
export async function usableSession(ctx: Context, address: Address): Promise<LiveSession | null> {
  const live = await sessionOf(ctx, address);
  return live ? usable(ctx, live) : null;
}

/** Checks the right again, because the person may have lost it while the cell waited. */
export async function requireRunner({ db, actor }: Context, { projectId }: Address): Promise<{ mayEdit: boolean }> {
  const [found] = await db
    .select({ project: projects, grants: callerGrants(actor) })
    .from(projects)
    .where(eq(projects.id, projectId));
  const abilities = found ? accessOf(actor, found.project, allGranted(found.grants)).abilities : [];
  if (!abilities.includes('execute'))
    throw denied('no_permissions', 'You no longer have permission to run code in this project.');
  return { mayEdit: abilities.includes('edit') };
}

/** A file does not show whose code wrote it, so no file is saved after a person without edit rights has run code here. */
export async function stopSavingFiles(ctx: Context, live: LiveSession): Promise<void> {
  if (!live.row.savesFiles) return;
  live.row.savesFiles = false;
  await ctx.db.update(kernelSessions).set({ savesFiles: false }).where(eq(kernelSessions.id, live.row.id));
}
