import type { Mask } from '@atoll/notebook';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { lockProject } from '../../projects/service/access.ts';
import { isOwnAndRead, othersMayChange } from '../../projects/service/others.ts';
import { projects } from '../../projects/table.ts';
import { reveal } from '../../secrets/service.ts';
import { secrets } from '../../secrets/table.ts';

/** Masking shorter secrets would hide half of the output. */
const shortest = 4;

export interface Secrets {
  environment: Record<string, string>;
  mask: Mask;
  /**
   * The reason why secrets were withheld: other people may change the code, or its owner has not accepted code of others.
   */
  withheld: 'shared' | 'unread' | null;
}

interface Wanted {
  userId: string;
  projectId: string;
  /** The person has agreed, for this one start, that code of others may have them. */
  isConsented: boolean;
}

/**
 * The secrets of the person who runs code, in their own project only, and only while no one else may write or run code
 * there, because others' code could send them anywhere. It runs in the transaction that stores the kernel: a grant waits
 * for that, and then ends the kernel.
 */
export async function environmentOf(
  ctx: Context,
  tx: Transaction,
  { userId, projectId, isConsented }: Wanted,
): Promise<Secrets> {
  const environment = await secretsOf(ctx, tx, { userId, projectId });
  if (Object.keys(environment).length === 0) return { environment, mask: maskOf(), withheld: null };
  await lockProject(tx, projectId);
  const isShared = !isConsented && (await othersMayChange(tx, projectId));
  const withheld = (await isOwnAndRead(tx, projectId, userId)) ? (isShared ? 'shared' : null) : 'unread';
  return withheld
    ? { environment: {}, mask: maskOf(), withheld }
    : { environment, mask: maskOf(environment), withheld };
}

/** The secrets that a kernel of this person in this project can have received. */
export async function secretsOf(
  ctx: Context,
  db: Database | Transaction,
  { userId, projectId }: { userId: string; projectId: string },
): Promise<Record<string, string>> {
  const rows = await db
    .select({ secret: secrets })
    .from(secrets)
    .innerJoin(
      projects,
      // A copy of a publication belongs to its reader, and its code to another author.
      and(eq(projects.ownerId, secrets.userId), eq(projects.id, projectId), eq(projects.isHidden, false)),
    )
    .where(eq(secrets.userId, userId));
  return Object.fromEntries(rows.map(({ secret }) => [secret.key, reveal(ctx, secret)]));
}

/** Hides all of these, the longest first: one may be part of another. */
export function maskOf(...environments: Record<string, string>[]): Mask {
  const hidden = environments
    .flatMap((environment) => Object.entries(environment))
    .filter(([, value]) => value.length >= shortest)
    .sort(([, one], [, other]) => other.length - one.length);
  return (text) => hidden.reduce((shown, [key, value]) => shown.replaceAll(value, `[secret ${key}]`), text);
}
