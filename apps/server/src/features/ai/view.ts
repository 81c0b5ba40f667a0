import type { AiProvider } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { mayChange } from './policy.ts';
import type { ProviderRow } from './table.ts';

export const providerView = (ctx: Context, row: ProviderRow): AiProvider => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  // Where others' keys are sent is nobody's business.
  base_url: mayChange(ctx.actor, row) ? row.baseUrl : null,
  models: row.models,
  is_enabled: row.isEnabled,
  is_for_everyone: row.userId === null,
  has_key: row.sealedKey !== null,
  source: row.userId ? 'person' : 'admin',
  permissions: mayChange(ctx.actor, row) ? ['ai.configure'] : [],
});
