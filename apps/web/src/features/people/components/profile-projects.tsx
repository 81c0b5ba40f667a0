import type { PublicUser } from '@atoll/contract/users/entity';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import { personName } from '../../collaboration/people.ts';
import { ProjectCards } from '../../projects/components/project-cards.tsx';
import { projectsOfQuery, publishedQuery } from '../queries.ts';

/** What everybody sees, or everything the reader may see. */
export function PersonProjects({ user, isPublished }: { user: PublicUser; isPublished?: boolean }) {
  const { data, error } = useQuery(isPublished ? publishedQuery(user.id) : projectsOfQuery(user.id));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0)
    return (
      <NothingHere>
        {isPublished
          ? `${personName(user)} has no public projects yet.`
          : `No projects of ${personName(user)} are visible to you.`}
      </NothingHere>
    );
  return <ProjectCards projects={data?.entries} />;
}
