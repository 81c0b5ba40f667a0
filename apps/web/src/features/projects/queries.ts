import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { type ListSearch, toQuery } from './model.ts';

/** The page before stays while the next one is on its way. */
export const projectListQuery = (search: ListSearch) =>
  api.projects.list.queryOptions({ input: toQuery(search), placeholderData: keepPreviousData });

export const projectQuery = (id: string) => api.projects.get.queryOptions({ input: { id } });

/** They change with the product, not while somebody is looking. */
export const templatesQuery = api.projects.templates.queryOptions({ input: {}, staleTime: Number.POSITIVE_INFINITY });
export const templateQuery = (name: string) =>
  api.projects.getTemplate.queryOptions({ input: { name }, staleTime: Number.POSITIVE_INFINITY });
export const offersQuery = api.projects.offers.queryOptions({ input: {} });
export const tagsQuery = api.projects.tags.queryOptions({ input: {} });
export const recentProjectsQuery = api.projects.list.queryOptions({ input: { mode: 'my', page: 1, page_size: 6 } });
export const recentSharedQuery = api.projects.list.queryOptions({ input: { mode: 'shared', page: 1, page_size: 6 } });

/** What somebody types into the command palette. */
export const projectSearchQuery = (search: string) =>
  api.projects.list.queryOptions({
    input: { mode: 'all', search, page: 1, page_size: 6 },
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });
