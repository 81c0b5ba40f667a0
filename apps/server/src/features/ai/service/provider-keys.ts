import { ModelError } from '@atoll/agent';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { keyIdOf, seal, unseal } from '../../secrets/seal.ts';
import { aiProviders, type ProviderRow } from '../table.ts';

const forEveryone = 'everyone';

export function openKey(ctx: Context, { id, userId, sealedKey, sealId }: ProviderRow): string | null {
  if (!sealedKey) return null;
  const key = ctx.config.secretKeys.find((each) => keyIdOf(each) === sealId);
  if (!key) throw new ModelError('no_key', 'the key that sealed it is not configured any more');
  return unseal(key, userId ?? forEveryone, id, sealedKey);
}

export function sealed(ctx: Context, userId: string | null, id: string, apiKey: string | undefined) {
  if (apiKey === undefined) return {};
  if (apiKey === '') return { sealedKey: null, sealId: null };
  const [newest] = ctx.config.secretKeys;
  if (!newest) throw new Error('There is no key to seal secrets with: set ATOLL_SECRET_KEYS');
  return { sealedKey: seal(newest, userId ?? forEveryone, id, apiKey), sealId: keyIdOf(newest) };
}

/** After a new key was put first, what an older one sealed is sealed anew. */
export async function rotateKeys(ctx: Context): Promise<void> {
  const [newest] = ctx.config.secretKeys;
  if (!newest) return;
  for (const row of await ctx.db.select().from(aiProviders)) {
    if (!row.sealedKey || row.sealId === keyIdOf(newest)) continue;
    const opened = openKey(ctx, row) ?? '';
    await ctx.db
      .update(aiProviders)
      .set(sealed(ctx, row.userId, row.id, opened))
      .where(eq(aiProviders.id, row.id));
  }
}
