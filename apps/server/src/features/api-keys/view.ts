import type { ApiKey } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import type { ApiKeyRow } from './table.ts';

export function apiKeyView(ctx: Context, row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    permissions: ctx.permitted(['api_key.revoke'], row),
  };
}
