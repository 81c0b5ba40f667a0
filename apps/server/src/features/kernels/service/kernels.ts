import { computeTiers, type KernelInfo, type KernelNotice, tierResources } from '@atoll/contract';
import type { HostStatus, KernelKind } from '@atoll/kernels/client';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { invalidField } from '../../../platform/errors.ts';
import { isolationOf, noticeOf } from '../../../platform/kernels/isolation.ts';
import { runLimitsOf } from '../../quota/service/limits.ts';
import { requireSelf } from '../../users/service.ts';
import { kernelChoices } from '../table.ts';

/** Real Python before Python in WebAssembly; kernels on another machine come last. */
const order: KernelKind['provider'][] = ['local', 'pyodide', 'gateway', 'fake'];

const sorted = (kinds: KernelKind[]): KernelKind[] =>
  kinds.toSorted(
    (a, b) =>
      Number(b.language === 'python') - Number(a.language === 'python') ||
      order.indexOf(a.provider) - order.indexOf(b.provider) ||
      a.displayName.localeCompare(b.displayName),
  );

interface Kernels {
  entries: KernelInfo[];
  environment: HostStatus['python'];
  notice: KernelNotice | null;
}

export async function listKernels(ctx: Context): Promise<Kernels> {
  const host = await ctx.kernels.host();
  const [kinds, { python, providers }] = await Promise.all([host.kinds(), host.status()]);
  return {
    notice: noticeOf(providers),
    entries: sorted(kinds).map((kind, index) => ({
      name: kind.id,
      display_name: kind.displayName,
      language: kind.language,
      provider: kind.provider,
      isolation: isolationOf(kind.provider, providers),
      is_default: index === 0,
    })),
    environment: python,
  };
}

export async function chosenKernel(ctx: Context, userId: string): Promise<string | null> {
  const [row] = await ctx.db.select().from(kernelChoices).where(eq(kernelChoices.userId, userId));
  return row?.kernel ?? null;
}

export async function chooseKernel(ctx: Context, kernel: string | null): Promise<void> {
  const { userId } = ctx;
  if (kernel !== null && !(await kindNamed(ctx, kernel)))
    throw invalidField('kernel', 'There is no kernel with this name');
  await ctx.write(async ({ tx }) => {
    await tx.delete(kernelChoices).where(eq(kernelChoices.userId, userId));
    if (kernel !== null) await tx.insert(kernelChoices).values({ userId, kernel });
  });
}

async function kindNamed(ctx: Context, name: string): Promise<KernelKind | undefined> {
  const host = await ctx.kernels.host();
  return (await host.kinds()).find(({ id }) => id === name);
}

/** The kernel for a file: the requested one, the person's usual one, or the best one for the file's language. */
export async function kernelFor(
  ctx: Context,
  wanted: { kernel: string | undefined; userId: string; language: string },
): Promise<string> {
  const host = await ctx.kernels.host();
  const kinds = sorted(await host.kinds());
  if (wanted.kernel) {
    if (!kinds.some(({ id }) => id === wanted.kernel))
      throw invalidField('kernel', 'There is no kernel with this name');
    return wanted.kernel;
  }
  const able = kinds.filter(({ language }) => language === wanted.language);
  const chosen = await chosenKernel(ctx, wanted.userId);
  const found = able.find(({ id }) => id === chosen) ?? able[0];
  if (!found) throw invalidField('kernel', `There is no kernel for ${wanted.language} here`);
  return found.id;
}

export async function ramTiers(ctx: Context) {
  const { tiers } = runLimitsOf(await requireSelf(ctx));
  return computeTiers.map((tier) => ({
    tier,
    cpu_cores: tierResources[tier].cores,
    memory: tierResources[tier].memoryBytes,
    is_available: tiers.includes(tier),
    is_default: tier === 'l1',
  }));
}
