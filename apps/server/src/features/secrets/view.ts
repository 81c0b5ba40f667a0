import type { Secret } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import type { SecretRow } from './table.ts';

export const secretView = (ctx: Context, row: SecretRow): Secret => ({
  id: row.id,
  key: row.key,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  permissions: ctx.permitted(['secret.edit'], row),
});
