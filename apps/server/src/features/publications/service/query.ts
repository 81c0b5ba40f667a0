import type { PublicationFilters, PublicationListQuery } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { denied } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { publicationsQuery } from '../../ai/service/generate.ts';

/** What is listed: a model turns a sentence into filters, and those that are given stand. */
export async function queryOf(
  ctx: Context,
  given: PublicationListQuery,
): Promise<{ filters: PublicationFilters | null; query: PublicationListQuery }> {
  if (given.ai_query === undefined) return { filters: null, query: given };
  ctx.authorize('ai.use', null);
  checkFlag(ctx, 'ai');
  // A model costs units, so this reading call is none for a key that may only read.
  if (ctx.actor.via === 'api_key' && !ctx.actor.keyScopes.includes('write'))
    throw denied('no_permissions', 'This API key may only read.');
  const filters = await publicationsQuery(ctx, given.ai_query, undefined);
  const query = {
    ...given,
    search: given.search ?? (filters.query.slice(0, 200) || undefined),
    tags: given.tags ?? (filters.tags.length > 0 ? filters.tags : undefined),
    category: given.category ?? (filters.category ? [filters.category] : undefined),
    type: given.type ?? filters.type ?? undefined,
  };
  return { filters, query };
}
