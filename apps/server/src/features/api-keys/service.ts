import type { EndpointInput } from '@atoll/contract';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { type Authentication, anonymous, nobody } from '../../platform/actor.ts';
import type { Context, Services, Write } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { flagColumns, users } from '../users/table.ts';
import { apiKeyHint, isApiKeyShaped, newApiKey } from './key.ts';
import { type ApiKeyRow, apiKeys } from './table.ts';

const day = 24 * 60 * 60_000;
const usedResolution = 5 * 60_000;

export async function createApiKey(
  ctx: Context,
  input: EndpointInput<'account', 'createApiKey'>,
): Promise<{ key: string; row: ApiKeyRow }> {
  const key = newApiKey();
  const now = ctx.now();
  const { userId } = ctx;
  return ctx.write(async ({ tx, emit }) => {
    const [row] = await tx
      .insert(apiKeys)
      .values({
        userId,
        name: input.name,
        keyHash: hashSecret(key),
        hint: apiKeyHint(key),
        scopes: [...new Set(input.scopes)],
        createdAt: now,
        expiresAt: input.expires_in_days === null ? null : new Date(now.getTime() + input.expires_in_days * day),
      })
      .returning();
    if (!row) throw new Error('The key was not stored');
    await emit('api_key.created', { user_id: userId, api_key_id: row.id });
    return { key, row };
  });
}

export async function listApiKeys(ctx: Context): Promise<ApiKeyRow[]> {
  return ctx.db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, ctx.actor.userId ?? nobody), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt));
}

export async function revokeApiKey(ctx: Context, id: string): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update');
    if (!row || row.revokedAt) throw notFound('This API key');
    ctx.authorize('api_key.revoke', row);
    await tx.update(apiKeys).set({ revokedAt: ctx.now() }).where(eq(apiKeys.id, id));
    await emit('api_key.revoked', { user_id: row.userId, api_key_id: id });
  });
}

export async function revokeAllApiKeys(ctx: Context, write: Write, userId: string): Promise<void> {
  const revoked = await write.tx
    .update(apiKeys)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  for (const { id } of revoked) await write.emit('api_key.revoked', { user_id: userId, api_key_id: id });
}

/** Who an API key stands for: its owner, with the owner's rights of this moment and never more. */
export async function authenticateApiKey(services: Services, key: string): Promise<Authentication> {
  const { db, now } = services;
  if (!isApiKeyShaped(key)) return { actor: anonymous, problem: 'invalid' };
  const [row] = await db
    .select({
      key: apiKeys,
      role: users.role,
      suspendedAt: users.suspendedAt,
      message: users.suspensionMessage,
      ...flagColumns,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.keyHash, hashSecret(key)), isNull(apiKeys.revokedAt)));
  const time = now().getTime();
  if (!row || (row.key.expiresAt && row.key.expiresAt.getTime() <= time))
    return { actor: anonymous, problem: 'invalid' };
  if (row.suspendedAt) return { actor: anonymous, problem: 'suspended', message: row.message ?? undefined };
  if (!row.key.lastUsedAt || time - row.key.lastUsedAt.getTime() > usedResolution) {
    await db.update(apiKeys).set({ lastUsedAt: now() }).where(eq(apiKeys.id, row.key.id));
  }
  return {
    problem: null,
    actor: {
      ...anonymous,
      kind: 'user',
      userId: row.key.userId,
      isAdmin: row.role === 'admin',
      via: 'api_key',
      keyScopes: row.key.scopes,
      keyHint: row.key.hint,
      planFeatures: row.planFeatures,
      overrides: row.overrides,
      roleOverrides: row.roleOverrides,
    },
  };
}
