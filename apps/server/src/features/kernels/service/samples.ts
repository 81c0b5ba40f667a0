import { lt } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { kernelSamples } from '../table.ts';
import { kernelSessionsOf } from './kernel-sessions.ts';

const everyMs = 60_000;
export const samplesKeptMs = 7 * 24 * 60 * 60_000;

/** Processor time of each kernel at the previous sample. */
const lastSeconds = appState(() => new Map<string, number>());

/** Samples this server's kernels, because no other server can reach them. */
export async function sampleKernels(ctx: Context): Promise<void> {
  const host = await ctx.kernels.running();
  const { sessions } = kernelSessionsOf(ctx);
  if (!host || sessions.length === 0) return;
  const last = lastSeconds(ctx);
  const now = new Map<string, number>();
  const byPerson = new Map<string, { kernels: number; memoryBytes: number; cpuMs: number }>();
  for (const { row } of sessions) {
    const usage = await host.usage(row.id).catch(() => null);
    if (!usage) continue;
    now.set(row.id, usage.cpuSeconds);
    const sum = byPerson.get(row.userId) ?? { kernels: 0, memoryBytes: 0, cpuMs: 0 };
    const seconds = Math.max(0, usage.cpuSeconds - (last.get(row.id) ?? 0));
    byPerson.set(row.userId, {
      kernels: sum.kernels + 1,
      memoryBytes: sum.memoryBytes + Math.round(usage.memoryBytes),
      cpuMs: sum.cpuMs + Math.round(seconds * 1_000),
    });
  }
  last.clear();
  for (const [id, seconds] of now) last.set(id, seconds);
  if (byPerson.size === 0) return;
  const common = { serverId: await ctx.kernels.serverId(), sampledAt: ctx.now() };
  await ctx.write(({ tx }) =>
    tx.insert(kernelSamples).values([...byPerson].map(([userId, sum]) => ({ userId, ...sum, ...common }))),
  );
}

/** Returns a function that stops sampling. */
export function startSampling(ctx: Context): () => void {
  const timer = setInterval(() => {
    sampleKernels(ctx).catch((error: unknown) => ctx.log.error({ error }, 'Kernels could not be sampled'));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

export async function sweepSamples(ctx: Context): Promise<void> {
  await ctx.db.delete(kernelSamples).where(lt(kernelSamples.sampledAt, new Date(ctx.now().getTime() - samplesKeptMs)));
}
