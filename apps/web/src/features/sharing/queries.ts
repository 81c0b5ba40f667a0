import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';

export const grantsQuery = (id: string) =>
  api.sharing.listUsers.infiniteOptions({
    input: (page: number) => ({ id, page }),
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
  });

export const peopleQuery = (search: string) =>
  api.users.list.queryOptions({
    input: { search, page_size: 8 },
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });

export const teamGrantsQuery = (id: string) => api.sharing.listTeams.queryOptions({ input: { id } });
export const linkQuery = (id: string) => api.sharing.link.queryOptions({ input: { id } });
export const invitesQuery = (id: string) => api.sharing.invites.queryOptions({ input: { id } });
export const requestsQuery = (id: string) =>
  api.sharing.accessRequests.queryOptions({ input: { id, status: 'pending' } });
export const myRequestQuery = (id: string) => api.sharing.myAccessRequest.queryOptions({ input: { id }, retry: false });
