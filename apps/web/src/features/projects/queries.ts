import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';
import { type ListSearch, toQuery } from './model.ts';

/** The page before stays while the next one is on its way. */
export const projectListQuery = (search: ListSearch) =>
  api.projects.list.queryOptions({ input: toQuery(search), placeholderData: keepPreviousData });

export const projectQuery = (id: string) => api.projects.get.queryOptions({ input: { id } });

/** They change with the product, not while somebody is looking. */
export const templatesQuery = api.projects.templates.queryOptions({ input: {}, staleTime: Number.POSITIVE_INFINITY });
export const tagsQuery = api.projects.tags.queryOptions({ input: {} });
