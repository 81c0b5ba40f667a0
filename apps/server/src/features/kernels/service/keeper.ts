import { randomUUID } from 'node:crypto';
import { type ComputeTier, topicName, topics } from '@atoll/contract';
import type { HostKernel } from '@atoll/kernels/client';
import type { Mask } from '@atoll/notebook';
import { and, asc, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import type { IdentifiedHost } from '../../../platform/kernels/kernels.ts';
import { positionsOf } from '../../../platform/realtime/stream.ts';
import { projects } from '../../projects/table.ts';
import { heartbeat } from '../../quota/service/heartbeats.ts';
import { findUser } from '../../users/service.ts';
import { limitsOf } from '../resources.ts';
import { executionOutputs, executions, type KernelSessionRow, kernelSessions } from '../table.ts';
import { Lease } from './lease.ts';
import { LiveSession, type StopReason, type Watcher } from './live-session.ts';
import { ProjectMirror } from './project-mirror.ts';
import { environmentOf, maskOf, type Secrets } from './secrets.ts';
import { told } from './store-batch.ts';

export interface OpenInput {
  userId: string;
  projectId: string;
  fileId: string | null;
  kernel: string;
  tier: ComputeTier;
  purpose: KernelSessionRow['purpose'];
  /** Whether what the code writes becomes part of the project. */
  savesFiles: boolean;
  /** Execution time that was set aside for it already. */
  leaseId: string | null;
  /** In the transaction in which it is stored: whoever wants it notes that it is theirs. */
  noted?(write: Write, id: string): Promise<unknown>;
  /** False where others run code in the same kernel, who must not get at them. */
  hasSecrets?: boolean;
}

interface Kept {
  live: LiveSession;
  mirror: ProjectMirror | null;
  /** Up to where the project's changes are in its folder. */
  position: number;
  /** What is under way of that. */
  pulling: Promise<void>;
}

const beatMs = 1_000;
/** A server that was silent for so long is gone; whoever notices ends what it had. */
const goneMs = 2 * 60_000;
const outputLimit = 50 * 1024 ** 2;
const runLimit = 100 * 1024 ** 2;
/** Interactive kernels in which nothing is run. */
const idleMs = 30 * 60_000;
const releaseMs = 60_000;
const writtenMs = 5_000;
const filesTopic = ({ projectId }: KernelSessionRow) => topicName(topics.projectFiles, { projectId: projectId ?? '' });

/** All kernels of this server. */
export class Keeper {
  readonly #ctx: Context;
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | null = null;
  readonly #opening = new Set<Promise<LiveSession>>();
  readonly #watchers = new Map<KernelSessionRow['purpose'], Watcher>();
  #isBeating = false;
  #isStopping = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    ctx.kernels.onHost((host) => this.#use(host));
    ctx.kernels.onLost((hostId) => this.#lose(hostId));
  }

  get sessions(): LiveSession[] {
    return [...this.#kept.values()].map(({ live }) => live);
  }

  /** Who wants to know about the kernels of a purpose. */
  watch(purpose: KernelSessionRow['purpose'], watcher: Watcher): void {
    this.#watchers.set(purpose, watcher);
  }

  find = (id: string): LiveSession | null => this.#kept.get(id)?.live ?? null;

  /** Takes up what an earlier life of this server has left. */
  async start(): Promise<void> {
    const serverId = await this.#ctx.kernels.serverId();
    const mine = await this.#ctx.db
      .select()
      .from(kernelSessions)
      .where(and(eq(kernelSessions.serverId, serverId), isNull(kernelSessions.endedAt)));
    // A host that has none of ours is of no use: the next one is started when it is needed.
    const host = mine.length > 0 ? await this.#ctx.kernels.running() : null;
    const alive = new Map((host ? await host.kernels() : []).map((kernel) => [kernel.id, kernel]));
    for (const row of mine) {
      const kernel = row.hostId === host?.hostId ? alive.get(row.id) : undefined;
      const isAdopted = host && kernel ? await this.#tryAdopt(host, row, kernel) : false;
      if (!isAdopted) await endLost(this.#ctx, row, 'The server was stopped while it ran. Run it again.');
    }
    for (const id of alive.keys()) if (!this.#kept.has(id)) await host?.stop(id).catch(() => {});
    this.#timer = setInterval(() => void this.#beat(), beatMs);
    this.#timer.unref();
  }

  open(input: OpenInput): Promise<LiveSession> {
    if (this.#isStopping)
      throw new AppError('service_unavailable', 'The server is being stopped. Try again in a moment.');
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
    const { noted, hasSecrets = true, ...fields } = input;
    const secrets = await environmentOf(ctx, hasSecrets ? input : { userId: input.userId, projectId: null });
    const row = await ctx.write(async (write) => {
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
      await noted?.(write, id);
      return stored;
    });
    try {
      return await this.#begin(host, row, secrets);
    } catch (error) {
      await host.stop(id).catch(() => {});
      if (!this.find(id)) await endLost(ctx, row, 'It could not be started. Try again.');
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
    });
    const mirror = kernel.folder ? new ProjectMirror(ctx, kernel.folder, row) : null;
    const live = this.#keep(host, row, mirror, secrets.mask, await Lease.of(ctx, row));
    // What it said before we listened.
    await host.follow(row.id, 0);
    await mirror?.fill();
    if (mirror) await host.handOver(row.id);
    return live;
  }

  /** What the code has written so far becomes part of the project; answers what is worth knowing. */
  async saveFiles(id: string, options: { isFinal: boolean }): Promise<string[]> {
    const mirror = this.#kept.get(id)?.mirror;
    return mirror ? mirror.save(options) : [];
  }

  /** What has changed in the project reaches the folder of a kernel in use; a run keeps what it began with. */
  async refreshFiles(id?: string): Promise<void> {
    const wanted = [...this.#kept.values()].filter(
      ({ live, mirror }) => mirror && live.row.purpose === 'notebook' && (id === undefined || live.row.id === id),
    );
    if (wanted.length === 0) return;
    const positions = await positionsOf(this.#ctx.db, [...new Set(wanted.map(({ live }) => filesTopic(live.row)))]);
    for (const kept of wanted) {
      const { position: before, live, mirror } = kept;
      const position = positions.get(filesTopic(live.row)) ?? 0;
      if (position <= before) continue;
      kept.position = position;
      const pull = async () => {
        if (await mirror?.pull()) await live.host.handOver(live.row.id);
      };
      kept.pulling = kept.pulling
        .catch(() => {})
        .then(pull)
        .catch((error: unknown) => {
          // It is tried again with the next.
          kept.position = before;
          throw error;
        });
      kept.pulling.catch(() => {});
    }
    // Also what somebody else has begun.
    await Promise.all(wanted.map(({ pulling }) => pulling));
  }

  /** Everything is stored, nothing is lost: a clean end of the server. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await Promise.allSettled(this.#opening);
    const why: StopReason = { reason: 'shutdown', message: 'The server was stopped while it ran. Run it again.' };
    await Promise.all(this.sessions.map(async (live) => live.stop(why).then(() => live.ended)));
  }

  #use(host: IdentifiedHost): void {
    host.onEvents((events) => {
      for (const event of events) this.#kept.get(event.kernelId)?.live.hear(event);
    });
    // The same host over a new connection: what was said meanwhile is told now.
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
    const live = new LiveSession(this.#ctx, host, row, {
      lease,
      mask,
      outputLimit,
      sessionLimit: row.purpose === 'run' ? runLimit : null,
      beforeEnd: async () => void (await mirror?.save({ isFinal: true })),
      onEnded: () => this.#kept.delete(row.id),
      watcher: () => this.#watchers.get(row.purpose) ?? null,
    });
    // Nobody knows what has changed since its files were listed: the first look takes in all of it.
    this.#kept.set(row.id, { live, mirror, position: -1, pulling: Promise.resolve() });
    return live;
  }

  /** One that cannot be taken up must not keep the server from starting. */
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
    const ctx = this.#ctx;
    const { environment } = await environmentOf(ctx, { userId: row.userId, projectId: row.projectId });
    // What it was started with is what it can show; a secret may have been changed since.
    const mask = maskOf(kernel.environment, environment);
    const mirror = kernel.folder && row.projectId ? new ProjectMirror(ctx, kernel.folder, row) : null;
    await mirror?.remember();
    const live = this.#keep(host, row, mirror, mask, await Lease.of(ctx, row));
    const going = await ctx.db
      .select()
      .from(executions)
      .where(and(eq(executions.sessionId, row.id), isNull(executions.endedAt)));
    for (const execution of going) {
      const outputs = await ctx.db
        .select()
        .from(executionOutputs)
        .where(eq(executionOutputs.executionId, execution.id))
        .orderBy(asc(executionOutputs.index));
      live.resume(execution, { outputs, clearsWithNext: execution.clearsWithNext });
    }
    await host.follow(row.id, row.storedSequence);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#kept.size === 0) return;
    this.#isBeating = true;
    try {
      await this.#endWanted();
      await this.#meter();
      // Beside the beat: one who writes very much must not hold up everybody's.
      for (const { live, mirror } of this.#kept.values()) {
        if (this.#mayWrite(live)) mirror?.save({ isFinal: false }).catch((error: unknown) => this.#complain(error));
      }
      this.refreshFiles().catch((error: unknown) => this.#complain(error));
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#isBeating = false;
    }
  }

  /** What was written in the last moment of a cell is saved after it. */
  #mayWrite = ({ isBusy, row }: LiveSession) =>
    isBusy || this.#ctx.now().getTime() - row.activeAt.getTime() < writtenMs;

  #complain(error: unknown): void {
    this.#ctx.log.error({ error }, 'The heartbeat of kernels failed');
  }

  /** Says that we are alive, and ends what somebody wants to end, here or on another server. */
  async #endWanted(): Promise<void> {
    const wanted = await this.#ctx.db
      .update(kernelSessions)
      .set({ heartbeatAt: this.#ctx.now() })
      .where(inArray(kernelSessions.id, [...this.#kept.keys()]))
      .returning({ id: kernelSessions.id, reason: kernelSessions.stopReason, message: kernelSessions.stopMessage });
    for (const { id, reason, message } of wanted) {
      if (reason) void this.find(id)?.stop({ reason: reason as StopReason['reason'], message: message ?? '' });
    }
    for (const live of this.sessions) {
      const idleFor = this.#ctx.now().getTime() - live.row.activeAt.getTime();
      if (live.isBusy || live.row.state === 'starting') continue;
      if (live.row.purpose === 'notebook' && idleFor > idleMs) {
        void live.stop({ reason: 'idle', message: 'It was stopped because nothing was run in it for half an hour.' });
      } else if (idleFor > releaseMs) await live.releaseLease();
    }
  }

  /** Notes the time used so far, so that a crash loses no more than a second of it, and gets more where little is left. */
  async #meter(): Promise<void> {
    const busy = this.sessions.filter(({ isBusy, lease }) => isBusy && lease);
    const beats = busy.flatMap(({ lease, usedMs }) => (lease ? { id: lease.id, usedMs: usedMs - lease.baseMs } : []));
    const { ended } = await heartbeat(this.#ctx, beats);
    for (const live of busy) {
      if (live.lease && ended.includes(live.lease.id)) {
        void live.stop({ reason: 'quota', message: 'The execution time it was given is over.' });
      } else await live.renewLease();
    }
  }
}

/** Where the operator has opened it at all, in projects that want it, for people who can be held to what they do with it. */
async function mayUseNetwork(ctx: Context, { userId, projectId }: KernelSessionRow): Promise<boolean> {
  if (!ctx.config.kernels.hasNetwork || !projectId) return false;
  const [project] = await ctx.db
    .select({ usesNetwork: projects.usesNetwork })
    .from(projects)
    .where(eq(projects.id, projectId));
  const user = project?.usesNetwork ? await findUser(ctx.db, userId) : null;
  return user !== null && (user.role === 'admin' || (!user.isGuest && user.plan !== 'Free'));
}

const keepers = new WeakMap<Context['kernels'], Keeper>();

/** One for each server, whoever asks. */
export function keeperOf(ctx: Context): Keeper {
  const keeper = keepers.get(ctx.kernels);
  if (!keeper) throw new Error('The kernels have not been started');
  return keeper;
}

export async function startKeeper(ctx: Context): Promise<Keeper> {
  const keeper = new Keeper(ctx);
  keepers.set(ctx.kernels, keeper);
  await keeper.start();
  return keeper;
}

/** A kernel of which nothing is left: what is stored of it is brought to an end. */
export async function endLost(ctx: Context, row: KernelSessionRow, message: string): Promise<void> {
  const endedAt = row.heartbeatAt;
  const lease = await Lease.of(ctx, row);
  await ctx.write(async (write) => {
    const { tx } = write;
    // As far as it was noted; nobody knows what came after.
    if (lease) await lease.settleNoted(ctx, write, 'lost');
    const ended = await tx
      .update(executions)
      .set({ state: 'error', reason: message, endedAt })
      .where(and(eq(executions.sessionId, row.id), isNull(executions.endedAt)))
      .returning();
    for (const execution of ended) if (execution.topic) write.publish(told(execution.topic, execution, []));
    await tx
      .update(kernelSessions)
      // Whoever has it after all, being back, ends it.
      .set({
        state: 'ended',
        endReason: 'lost',
        endMessage: message,
        stopReason: 'lost',
        stopMessage: message,
        endedAt,
      })
      .where(and(eq(kernelSessions.id, row.id), isNull(kernelSessions.endedAt)));
  });
}

/** Those of servers that never came back. */
export async function sweepSessions(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - goneMs);
  const gone = await ctx.db
    .select()
    .from(kernelSessions)
    .where(and(isNull(kernelSessions.endedAt), lt(kernelSessions.heartbeatAt, before), isNotNull(kernelSessions.id)));
  for (const row of gone) {
    if (!keeperOf(ctx).find(row.id)) await endLost(ctx, row, 'The server it ran on is gone. Run it again.');
  }
}
