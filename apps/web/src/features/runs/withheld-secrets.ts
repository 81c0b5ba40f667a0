import type { Project } from '@atoll/contract/projects/entity';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { secretsQuery } from '../account/queries.ts';
import { useSession } from '../session/queries.ts';
import { grantsQuery, teamGrantsQuery } from '../sharing/queries.ts';

const mayChange = ({ permissions }: { permissions: string[] }): boolean =>
  permissions.includes('edit') || permissions.includes('execute');

/**
 * Whether a run leaves out my secrets unless I ask for them. As the server decides it: they are for one's own projects, and
 * others who may write or run code there could read them.
 */
export function useWithheldSecrets({ id, owner }: Pick<Project, 'id' | 'owner'>): boolean {
  const session = useSession();
  const isMine = owner.id === session.id && !session.is_guest;
  const hasSecrets = (useQuery({ ...secretsQuery(''), enabled: isMine }).data?.total ?? 0) > 0;
  const enabled = isMine && hasSecrets;
  const people = useInfiniteQuery({ ...grantsQuery(id), enabled }).data?.pages[0];
  const teams = useQuery({ ...teamGrantsQuery(id), enabled }).data;
  if (!enabled) return false;
  // Of more than a page of them the server sends only some: the question is then asked once too often.
  const isMore = people !== undefined && people.total > people.entries.length;
  return isMore || [...(people?.entries ?? []), ...(teams?.entries ?? [])].some(mayChange);
}
