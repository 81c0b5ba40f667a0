import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';

export const profileQuery = (name: string) => api.users.byUserName.queryOptions({ input: { name } });

export const followsQuery = (id: string, type: 'followers' | 'following') =>
  api.users.follows.infiniteOptions({
    input: (page: number) => ({ id, type, page, page_size: 50 }),
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
  });

export const projectsOfQuery = (id: string) =>
  api.projects.list.queryOptions({ input: { mode: 'all', owned_by: id, page_size: 24 } });
export const teamsOfQuery = (id: string) =>
  api.teams.list.queryOptions({ input: { mode: 'all', member_id: id, page_size: 24 } });

/** The page is titled by the person. */
export async function loadProfile(queryClient: QueryClient, name: string): Promise<{ title: string }> {
  try {
    const user = await queryClient.ensureQueryData(profileQuery(name));
    return { title: personName(user) };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) throw notFound();
    throw error;
  }
}

/** Shown at once, and as it was when it is refused. */
export function useFollow() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isFollowing }: { id: string; isFollowing: boolean }) =>
      isFollowing ? client.users.follow({ id }) : client.users.unfollow({ id }),
    onSuccess: (user: PublicUser) => {
      queryClient.setQueryData(profileQuery(user.user_name).queryKey, user);
      void queryClient.invalidateQueries({ queryKey: api.users.key() });
    },
    onError: (error) => toastError(error),
  });
}
