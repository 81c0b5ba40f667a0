import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Connection } from '../../users/view.ts';
import { identities } from '../table.ts';

/** The accounts elsewhere that the caller can sign in with. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await ctx.db
    .select()
    .from(identities)
    .where(eq(identities.userId, ctx.actor.userId ?? ''));
  return rows.map((row) => ({ provider: row.provider, name: row.name, connected_at: row.createdAt.toISOString() }));
}

export async function githubConnection(ctx: Context, userId: string) {
  const rows = await ctx.db.select().from(identities).where(eq(identities.userId, userId));
  const github = rows.find((row) => row.provider === 'github');
  return { user_name: github?.name ?? null, avatar: github?.avatar ?? null, is_connected: github !== undefined };
}
