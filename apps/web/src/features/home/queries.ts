import { api } from '../../platform/client.ts';

/** They change with the product, not while somebody is looking. */
export const tipsQuery = api.site.tips.queryOptions({ input: {}, staleTime: Number.POSITIVE_INFINITY });
/** What others have shown to everybody lately. */
export const newProjectsQuery = api.projects.list.queryOptions({
  input: { mode: 'community', sort_by: 'created_at', sort_direction: 'desc', page: 1, page_size: 5 },
});
export const someTeamsQuery = api.teams.list.queryOptions({ input: { mode: 'my', page: 0, page_size: 1 } });
