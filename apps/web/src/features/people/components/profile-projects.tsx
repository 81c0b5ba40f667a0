import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import { ProjectCards } from '../../projects/project-cards.tsx';
import { projectsOfQuery } from '../queries.ts';

/** Everything the reader may see. */
export function PersonProjects({ user }: { user: PublicUser }) {
  const { data, error } = useQuery(projectsOfQuery(user.id));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0)
    return <NothingHere>No projects of {personName(user)} are visible to you.</NothingHere>;
  return <ProjectCards projects={data?.entries} />;
}
