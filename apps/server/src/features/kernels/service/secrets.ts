import type { Mask } from '@atoll/notebook';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { reveal } from '../../secrets/service.ts';
import { secrets } from '../../secrets/table.ts';

/** Shorter ones would hide half of what is shown. */
const shortest = 4;

export interface Secrets {
  environment: Record<string, string>;
  mask: Mask;
}

/**
 * The secrets of who runs code, in their own project only: in another's project the code is another's too, and could send
 * them anywhere.
 */
export async function environmentOf(
  ctx: Context,
  { userId, projectId }: { userId: string; projectId: string | null },
): Promise<Secrets> {
  if (projectId === null) return { environment: {}, mask: (text) => text };
  const rows = await ctx.db
    .select({ secret: secrets })
    .from(secrets)
    .innerJoin(projects, and(eq(projects.ownerId, secrets.userId), eq(projects.id, projectId)))
    .where(eq(secrets.userId, userId));
  const environment = Object.fromEntries(rows.map(({ secret }) => [secret.key, reveal(ctx, secret)]));
  return { environment, mask: maskOf(environment) };
}

/** Hides all of these, the longest first: one may be part of another. */
export function maskOf(...environments: Record<string, string>[]): Mask {
  const hidden = environments
    .flatMap((environment) => Object.entries(environment))
    .filter(([, value]) => value.length >= shortest)
    .sort(([, one], [, other]) => other.length - one.length);
  return (text) => hidden.reduce((shown, [key, value]) => shown.replaceAll(value, `[secret ${key}]`), text);
}
