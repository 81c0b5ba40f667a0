import type { Paging } from '@atoll/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { nobody } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { containing } from '../../platform/like.ts';
import { keyIdOf, seal, unseal } from './seal.ts';
import { type SecretRow, secrets } from './table.ts';

export async function listSecrets(
  ctx: Context,
  query: Paging & { search?: string },
): Promise<{ rows: SecretRow[]; total: number }> {
  const pattern = containing(query.search ?? '');
  const where = and(
    eq(secrets.userId, ctx.actor.userId ?? nobody),
    query.search ? sql`${secrets.key} ilike ${pattern}` : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(secrets)
    .where(where)
    .orderBy(secrets.key)
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const total = await ctx.db.$count(secrets, where);
  return { rows, total };
}

export async function createSecret(ctx: Context, input: { key: string; secret: string }): Promise<SecretRow> {
  const { userId } = ctx;
  const current = sealingKey(ctx);
  const now = ctx.now();
  return ctx.write(async ({ tx, emit }) => {
    try {
      const [row] = await tx
        .insert(secrets)
        .values({
          userId,
          key: input.key,
          sealed: seal(current, userId, input.key, input.secret),
          keyId: keyIdOf(current),
          createdAt: now,
          updatedAt: now,
        })
        .returning();
      if (!row) throw new Error('The secret was not stored');
      await emit('secret.changed', { secret_id: row.id, user_id: userId, change: 'created' });
      return row;
    } catch (error) {
      throw taken(error);
    }
  });
}

export async function updateSecret(
  ctx: Context,
  id: string,
  update: { key?: string; secret?: string },
): Promise<SecretRow> {
  return ctx.write(async ({ tx, emit }) => {
    const [row] = await tx.select().from(secrets).where(eq(secrets.id, id)).for('update');
    if (!row) throw notFound('This secret');
    ctx.authorize('secret.edit', row);
    const key = update.key ?? row.key;
    const secret = update.secret ?? reveal(ctx, row);
    const current = sealingKey(ctx);
    try {
      const [changed] = await tx
        .update(secrets)
        .set({ key, sealed: seal(current, row.userId, key, secret), keyId: keyIdOf(current), updatedAt: ctx.now() })
        .where(eq(secrets.id, id))
        .returning();
      await emit('secret.changed', { secret_id: id, user_id: row.userId, change: 'updated' });
      return changed ?? row;
    } catch (error) {
      throw taken(error);
    }
  });
}

export async function deleteSecret(ctx: Context, id: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const [row] = await tx.select().from(secrets).where(eq(secrets.id, id)).for('update');
    if (!row) throw notFound('This secret');
    ctx.authorize('secret.edit', row);
    await tx.delete(secrets).where(eq(secrets.id, id));
    await emit('secret.changed', { secret_id: id, user_id: row.userId, change: 'deleted' });
  });
}

/** The newest key; the start makes one where none is configured. */
function sealingKey(ctx: Context): Buffer {
  const [newest] = ctx.config.secretKeys;
  if (!newest) throw new Error('There is no key to seal secrets with: set ATOLL_SECRET_KEYS');
  return newest;
}

/** Only for the server's own use: what a kernel gets, what rotation seals anew. */
export function reveal(ctx: Context, row: SecretRow): string {
  const key = ctx.config.secretKeys.find((each) => keyIdOf(each) === row.keyId);
  if (!key) throw new Error(`The key ${row.keyId} that sealed a secret is not configured any more`);
  return unseal(key, row.userId, row.key, row.sealed);
}

/** After a new key was put first, everything sealed with an older one is sealed anew. */
export async function rotateSecrets(ctx: Context): Promise<void> {
  const current = sealingKey(ctx);
  const stale = await ctx.db
    .select()
    .from(secrets)
    .where(ne(secrets.keyId, keyIdOf(current)));
  for (const row of stale) {
    const sealed = seal(current, row.userId, row.key, reveal(ctx, row));
    await ctx.db
      .update(secrets)
      .set({ sealed, keyId: keyIdOf(current) })
      .where(and(eq(secrets.id, row.id), eq(secrets.sealed, row.sealed)));
  }
}

const taken = (error: unknown) =>
  isUniqueViolation(error, 'secrets_key') ? invalidField('key', 'A secret with this name already exists') : error;
