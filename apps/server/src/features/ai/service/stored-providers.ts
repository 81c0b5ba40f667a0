import type { AiProviderKind, EndpointFields, EndpointInput } from '@atoll/contract';
import { asc, eq, isNull, or } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { denied, invalidField, notFound } from '../../../platform/errors.ts';
import { mayChange } from '../policy.ts';
import { aiProviders, type ProviderRow } from '../table.ts';
import { sealed } from './provider-keys.ts';

/** What admins do for everyone is in the action log, without the key. */
async function record(
  ctx: Context,
  write: Write,
  change: string,
  before: ProviderRow | null,
  after: ProviderRow | null,
) {
  const row = after ?? before;
  if (!row || row.userId !== null) return;
  const told = (each: ProviderRow | null) =>
    each && { name: each.name, base_url: each.baseUrl, models: each.models, is_enabled: each.isEnabled };
  const subject = { type: 'ai_provider', id: row.id };
  await recordAction(ctx, write, {
    action: `ai_provider.${change}`,
    subject,
    before: told(before),
    after: told(after),
  });
}

/** Of everyone, and one's own. */
export const listProviders = (ctx: Context): Promise<ProviderRow[]> =>
  ctx.db
    .select()
    .from(aiProviders)
    .where(or(isNull(aiProviders.userId), eq(aiProviders.userId, ctx.actor.userId ?? nobody)))
    .orderBy(asc(aiProviders.createdAt));

export async function createProvider(ctx: Context, input: EndpointInput<'ai', 'createProvider'>): Promise<ProviderRow> {
  const userId = input.is_for_everyone ? null : ctx.actor.userId;
  if (!mayChange(ctx.actor, { userId })) throw denied('no_permissions', 'Only admins set up models for everyone.');
  checkAddress(input.kind, input.base_url);
  return ctx.write(async (write) => {
    const { tx, emit } = write;
    const now = ctx.now();
    const values = {
      ...{ userId, kind: input.kind, name: input.name, models: input.models, createdAt: now, updatedAt: now },
      ...{ baseUrl: input.base_url?.replace(/\/+$/, '') ?? null, isEnabled: input.is_enabled },
    };
    const [made] = await tx.insert(aiProviders).values(values).returning();
    if (!made) throw new Error('The provider was not stored');
    const key = sealed(ctx, userId, made.id, input.api_key);
    if (input.api_key) await tx.update(aiProviders).set(key).where(eq(aiProviders.id, made.id));
    await emit('ai_provider.changed', { provider_id: made.id, user_id: userId, change: 'created' });
    await record(ctx, write, 'created', null, made);
    return { ...made, ...key };
  });
}

function checkAddress(kind: AiProviderKind, baseUrl: string | null): void {
  if (kind === 'openai_compatible' && !baseUrl)
    throw invalidField('base_url', 'Where the server answers, for example https://models.example.com/v1');
}

export async function requireProvider(ctx: Context, tx: Context['db'], id: string): Promise<ProviderRow> {
  const [row] = await tx.select().from(aiProviders).where(eq(aiProviders.id, id));
  if (!row || !mayChange(ctx.actor, row)) throw notFound('This provider');
  return row;
}

export async function updateProvider(
  ctx: Context,
  id: string,
  fields: EndpointFields<'ai', 'updateProvider'>,
): Promise<ProviderRow> {
  return ctx.write(async (write) => {
    const { tx, emit } = write;
    const row = await requireProvider(ctx, tx, id);
    const baseUrl = fields.base_url === undefined ? row.baseUrl : (fields.base_url?.replace(/\/+$/, '') ?? null);
    checkAddress(row.kind, baseUrl);
    // A key is for the address it was given for: elsewhere it would be given away.
    const isMoved = baseUrl !== row.baseUrl && fields.api_key === undefined && row.sealedKey !== null;
    if (isMoved) throw invalidField('api_key', 'Enter the key again for the new address');
    const set = {
      ...{ baseUrl, updatedAt: ctx.now(), name: fields.name ?? row.name, models: fields.models ?? row.models },
      isEnabled: fields.is_enabled ?? row.isEnabled,
      ...sealed(ctx, row.userId, id, fields.api_key),
    };
    await tx.update(aiProviders).set(set).where(eq(aiProviders.id, id));
    await emit('ai_provider.changed', { provider_id: id, user_id: row.userId, change: 'updated' });
    await record(ctx, write, 'updated', row, { ...row, ...set });
    return { ...row, ...set };
  });
}

export async function deleteProvider(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const { tx, emit } = write;
    const row = await requireProvider(ctx, tx, id);
    await tx.delete(aiProviders).where(eq(aiProviders.id, id));
    await emit('ai_provider.changed', { provider_id: id, user_id: row.userId, change: 'deleted' });
    await record(ctx, write, 'deleted', row, null);
  });
}
