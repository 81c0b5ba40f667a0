import { and, eq } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { requireSelf } from '../../users/service.ts';
import type { Connection } from '../../users/view.ts';
import { identities, passkeys } from '../table.ts';

/** The accounts elsewhere that the caller can sign in with. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await ctx.db
    .select()
    .from(identities)
    .where(eq(identities.userId, ctx.actor.userId ?? nobody));
  return rows.map((row) => ({ provider: row.provider, name: row.name, connected_at: row.createdAt.toISOString() }));
}

/** Forgets an outside account, unless nobody could get in afterwards. */
export async function disconnect(ctx: Context, provider: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const user = await requireSelf(ctx, tx);
    const mine = await tx.select().from(identities).where(eq(identities.userId, user.id)).for('update');
    const gone = mine.filter((identity) => identity.provider === provider);
    if (gone.length === 0) throw notFound('This connection');
    const [passkey] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, user.id)).limit(1);
    const isOnlyWay = mine.length === gone.length && !user.passwordHash && !user.emailConfirmedAt && !passkey;
    if (isOnlyWay) {
      throw new AppError('conflict', 'This is the only way into your account. Set a password or add a passkey first.');
    }
    await tx.delete(identities).where(and(eq(identities.userId, user.id), eq(identities.provider, provider)));
    await emit('credentials.changed', { user_id: user.id, what: 'connection' });
  });
}

export async function githubConnection(ctx: Context, userId: string) {
  const rows = await ctx.db.select().from(identities).where(eq(identities.userId, userId));
  const github = rows.find((row) => row.provider === 'github');
  return { user_name: github?.name ?? null, avatar: github?.avatar ?? null, is_connected: github !== undefined };
}
