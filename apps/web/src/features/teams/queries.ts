import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api } from '../../platform/client.ts';
import { type TeamsSearch, toTeamsQuery } from './model.ts';

export const teamsQuery = (search: TeamsSearch) =>
  api.teams.list.queryOptions({ input: toTeamsQuery(search), placeholderData: keepPreviousData });

export const teamQuery = (id: string, invite?: string) => api.teams.get.queryOptions({ input: { id, invite } });

const nextPage = ({ page, page_size, total }: { page: number; page_size: number; total: number }) =>
  page * page_size < total ? page + 1 : undefined;

export const membersQuery = (id: string, search = '') =>
  api.teams.members.infiniteOptions({
    input: (page: number) => ({ id, page, page_size: 50, search: search || undefined }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });

export const teamProjectsQuery = (id: string) =>
  api.teams.projects.infiniteOptions({
    input: (page: number) => ({ id, page, page_size: 24 }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

export const joinRequestsQuery = (id: string) =>
  api.teams.joinRequests.queryOptions({ input: { id, status: 'pending' } });
export const teamInvitesQuery = (id: string) => api.teams.invites.queryOptions({ input: { id } });
export const teamFeedQuery = (id: string) =>
  api.teams.notifications.infiniteOptions({
    input: (page: number) => ({ id, page, page_size: 20 }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** Teams a project can be shared with. */
export const ownTeamsQuery = (search: string) =>
  api.teams.list.queryOptions({
    input: {
      mode: 'my',
      can_share_to: true,
      search: search || undefined,
      page_size: 5,
      sort_by: 'name',
      sort_direction: 'asc',
    },
    placeholderData: keepPreviousData,
  });

/** The page is titled by the team, and cannot be drawn without it. */
export async function loadTeam(queryClient: QueryClient, id: string, invite?: string): Promise<{ title: string }> {
  try {
    return { title: (await queryClient.ensureQueryData(teamQuery(id, invite))).name };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) throw notFound();
    throw error;
  }
}
