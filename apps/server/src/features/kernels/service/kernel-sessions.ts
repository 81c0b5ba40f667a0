import { randomUUID } from 'node:crypto';
import type { ComputeTier } from '@atoll/contract';
import type { HostKernel } from '@atoll/kernels/client';
import type { Mask } from '@atoll/notebook';
import { and, eq, isNull } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import type { StopOptions } from '../../../platform/feature.ts';
import type { IdentifiedHost } from '../../../platform/kernels/kernels.ts';
import { users } from '../../users/table.ts';
import { limitsOf } from '../resources.ts';
import { executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { endLost } from './end-lost.ts';
import { ProjectMirror } from './folder/project-mirror.ts';
import { type Kept, refreshFolders } from './folder/refresh-folders.ts';
import { requirementsOf } from './folder/requirements.ts';
import { Lease } from './lease.ts';
import { LiveSession, type StopReason } from './live-session.ts';
import { environmentOf, type Secrets } from './secrets.ts';
import { endIdle, endWanted, mayHaveWritten, meter } from './sessions/each-second.ts';
import { leftOf } from './sessions/left-session.ts';
import { mayUseNetwork } from './sessions/network.ts';
import type { Watcher } from './watcher.ts';

export interface OpenInput {
  userId: string;
  projectId: string;
  fileId: string | null;
  kernel: string;
  tier: ComputeTier;
  purpose: KernelSessionRow['purpose'];
  /** Whether files that the code writes are saved to the project. */
  savesFiles: boolean;
  /** The id of execution time that is already reserved for it. */
  leaseId: string | null;
  /** Called in the transaction that stores the session, so that the caller records its id. */
  noted?(write: Write, id: string, secrets: Secrets): Promise<unknown>;
  /** Whether the person has agreed that this kernel gets their secrets although others may have written its code. */
  isConsented?: boolean;
}

const beatMs = 1_000;
/** All kernels of this server. */
export class KernelSessions {
  readonly #ctx: Context;
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | null = null;
  readonly #opening = new Set<Promise<LiveSession>>();
  readonly #watchers = new Map<KernelSessionRow['purpose'], Watcher>();
  #isBeating = false;
  #isStopping = false;
  #isLeaving = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    ctx.kernels.onHost((host) => this.#use(host));
    ctx.kernels.onLost((hostId) => this.#lose(hostId));
  }

  /** Errors from now on do not end kernels, because the server resumes them after its restart. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get sessions(): LiveSession[] {
    return [...this.#kept.values()].map(({ live }) => live);
  }

  /** Registers the watcher for kernels of a purpose. */
  watch(purpose: KernelSessionRow['purpose'], watcher: Watcher): void {
    this.#watchers.set(purpose, watcher);
  }

  find = (id: string): LiveSession | null => this.#kept.get(id)?.live ?? null;

  /** Resumes kernels from before the restart of this server. */
  async start(): Promise<void> {
    const serverId = await this.#ctx.kernels.serverId();
    const mine = await this.#ctx.db
      .select()
      .from(kernelSessions)
      .where(and(eq(kernelSessions.serverId, serverId), isNull(kernelSessions.endedAt)));
    // A host without our kernels has no use: the next one starts when it is needed.
    const host = mine.length > 0 ? await this.#ctx.kernels.running() : null;
    const alive = new Map((host ? await host.kernels() : []).map((kernel) => [kernel.id, kernel]));
    for (const row of mine) {
      // A run's kernel may have begun without its files; the run begins again.
      const isUnused = row.purpose === 'run' && !(await hasExecuted(this.#ctx.db, row.id));
      const kernel = row.hostId === host?.hostId && !isUnused ? alive.get(row.id) : undefined;
      const isAdopted = host && kernel ? await this.#tryAdopt(host, row, kernel) : false;
      if (!isAdopted)
        await endLost(this.#ctx, row, 'The server was stopped during the run. Run it again.', { keepsLease: isUnused });
    }
    for (const id of alive.keys()) {
      if (this.#kept.has(id)) continue;
      await host?.stop(id).catch(() => {});
      // No server will store more of it, so its folder can be deleted.
      host?.stored(id, Number.MAX_SAFE_INTEGER);
    }
    this.#timer = setInterval(() => void this.#beat(), beatMs);
    this.#timer.unref();
  }

  open(input: OpenInput): Promise<LiveSession> {
    if (this.#isStopping)
      throw new AppError('service_unavailable', 'The server is shutting down. Try again in a moment.');
    const opening = this.#open(input);
    this.#opening.add(opening);
    opening.catch(() => {}).finally(() => this.#opening.delete(opening));
    return opening;
  }

  async #open(input: OpenInput): Promise<LiveSession> {
    const ctx = this.#ctx;
    const host = await ctx.kernels.host();
    const id = randomUUID();
    const now = ctx.now();
    const { noted, isConsented = false, ...fields } = input;
    const { row, secrets } = await ctx.write(async (write) => {
      await requireActive(write, input.userId);
      const secrets = await environmentOf(ctx, write.tx, { ...input, isConsented });
      const [stored] = await write.tx
        .insert(kernelSessions)
        .values({
          ...fields,
          hasSecrets: Object.keys(secrets.environment).length > 0,
          id,
          serverId: await ctx.kernels.serverId(),
          hostId: host.hostId,
          state: 'starting',
          startedAt: now,
          activeAt: now,
          heartbeatAt: now,
        })
        .returning();
      if (!stored) throw new Error('The session was not stored');
      await noted?.(write, id, secrets);
      return { row: stored, secrets };
    });
    try {
      return await this.#begin(host, row, secrets);
    } catch (error) {
      if (this.#isLeaving) throw error;
      await host.stop(id).catch(() => {});
      if (!this.find(id)) await endLost(ctx, row, 'The kernel could not be started. Try again.');
      throw error;
    }
  }

  async #begin(host: IdentifiedHost, row: KernelSessionRow, secrets: Secrets): Promise<LiveSession> {
    const ctx = this.#ctx;
    const kernel = await host.open({
      id: row.id,
      kind: row.kernel,
      environment: secrets.environment,
      limits: limitsOf(row.tier),
      hasNetwork: await mayUseNetwork(ctx, row),
      project: row.projectId ? { id: row.projectId, requirements: await requirementsOf(ctx, row.projectId) } : null,
    });
    const mirror = kernel.folder ? new ProjectMirror(ctx, kernel.folder, row) : null;
    const live = this.#keep(host, row, mirror, secrets.mask, await Lease.of(ctx, row));
    // Replay the events from before we listened.
    await host.follow(row.id, 0);
    await mirror?.fill();
    if (mirror) await host.handOver(row.id);
    // A stop request during the start found no live session.
    await endWanted(ctx, [live]);
    return live;
  }

  /** Saves the files that the code has written so far to the project; returns new notices. */
  async saveFiles(id: string, options: { isFinal: boolean }): Promise<string[]> {
    const mirror = this.#kept.get(id)?.mirror;
    return mirror ? mirror.save(options) : [];
  }

  /** Copies changes of the project into the folder of a kernel in use; a run keeps its initial files. */
  async refreshFiles({ id, db = this.#ctx.db }: { id?: string; db?: Context['db'] } = {}): Promise<void> {
    const wanted = [...this.#kept.values()].filter(
      ({ live, mirror }) => mirror && live.row.purpose === 'notebook' && (id === undefined || live.row.id === id),
    );
    await refreshFolders(db, wanted);
  }

  /** Ends the server cleanly: no event is lost. */
  async stop({ keepsKernels }: StopOptions): Promise<void> {
    this.#isStopping = true;
    this.#isLeaving = keepsKernels;
    if (this.#timer) clearInterval(this.#timer);
    if (keepsKernels) {
      await Promise.all(this.sessions.map((live) => live.leave()));
      return;
    }
    await Promise.allSettled(this.#opening);
    const why: StopReason = { reason: 'shutdown', message: 'The server was stopped during the run. Run it again.' };
    await Promise.all(this.sessions.map(async (live) => live.stop(why).then(() => live.ended)));
  }

  #use(host: IdentifiedHost): void {
    host.onEvents((events) => {
      for (const event of events) this.#kept.get(event.kernelId)?.live.hear(event);
    });
    // The same host over a new connection: replay the events missed meanwhile.
    for (const { live } of this.#kept.values()) {
      if (live.row.hostId !== host.hostId) continue;
      live.host = host;
      host.follow(live.row.id, live.row.storedSequence).catch(() => live.lose());
    }
  }

  #lose(hostId: string): void {
    for (const { live } of this.#kept.values()) if (live.row.hostId === hostId) live.lose();
  }

  #keep(
    host: IdentifiedHost,
    row: KernelSessionRow,
    mirror: ProjectMirror | null,
    mask: Mask,
    lease: Lease | null,
  ): LiveSession {
    const { outputLimit } = this.#ctx.config.kernels;
    const live = new LiveSession(this.#ctx, host, row, {
      lease,
      mask,
      outputLimit,
      sessionLimit: row.purpose === 'run' ? 2 * outputLimit : null,
      beforeEnd: async () => void (await mirror?.save({ isFinal: true })),
      onEnded: () => this.#kept.delete(row.id),
      watcher: () => this.#watchers.get(row.purpose) ?? null,
    });
    if (this.#isLeaving) void live.leave();
    // Changes since its files were listed are not known, so the first look covers all of them.
    this.#kept.set(row.id, { live, mirror, position: -1, pulling: Promise.resolve() });
    return live;
  }

  /** A kernel that cannot be resumed must not keep the server from starting. */
  async #tryAdopt(host: IdentifiedHost, row: KernelSessionRow, kernel: HostKernel): Promise<boolean> {
    try {
      await this.#adopt(host, row, kernel);
      return true;
    } catch (error) {
      this.#ctx.log.error({ error, session: row.id }, 'A kernel could not be taken up again');
      this.#kept.delete(row.id);
      return false;
    }
  }

  async #adopt(host: IdentifiedHost, row: KernelSessionRow, kernel: HostKernel): Promise<void> {
    const { mirror, mask, lease, going } = await leftOf(this.#ctx, row, kernel);
    const live = this.#keep(host, row, mirror, mask, lease);
    for (const { execution, collected } of going) live.resume(execution, collected);
    // Without it an update of an earlier output is lost; that is no reason to end a kernel.
    await live
      .recallDisplays()
      .catch((error: unknown) =>
        this.#ctx.log.error({ error, session: row.id }, 'What it shows could not be recalled'),
      );
    await host.follow(row.id, row.storedSequence);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#kept.size === 0) return;
    this.#isBeating = true;
    try {
      await endWanted(this.#ctx, this.sessions);
      await endIdle(this.#ctx, this.sessions);
      await meter(this.#ctx, this.sessions);
      // Saves run beside the heartbeat: a kernel that writes very much must not delay the others.
      for (const { live, mirror } of this.#kept.values()) {
        if (mayHaveWritten(this.#ctx, live))
          mirror?.save({ isFinal: false }).catch((error: unknown) => this.#complain(error));
      }
      this.refreshFiles().catch((error: unknown) => this.#complain(error));
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#isBeating = false;
    }
  }

  #complain(error: unknown): void {
    this.#ctx.log.error({ error }, 'The heartbeat of kernels failed');
  }
}

/** Locks the user: a suspension waits until the kernel is stored and then finds it, or is seen here. */
async function requireActive({ tx }: Write, userId: string): Promise<void> {
  const [user] = await tx
    .select({ suspendedAt: users.suspendedAt, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('share');
  if (user && !user.suspendedAt && !user.deletedAt) return;
  throw new AppError('forbidden', 'The account that wanted to run this is not active.');
}

async function hasExecuted(db: Context['db'], sessionId: string): Promise<boolean> {
  const [first] = await db
    .select({ id: executions.id })
    .from(executions)
    .where(eq(executions.sessionId, sessionId))
    .limit(1);
  return first !== undefined;
}

/** One for each server, shared by all callers. */
export const kernelSessionsOf = appState((system) => new KernelSessions(system));
