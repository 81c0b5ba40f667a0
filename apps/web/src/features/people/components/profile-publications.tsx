import type { PublicUser } from '@atoll/contract/users/entity';
import { useQuery } from '@tanstack/react-query';
import { personName } from '../../collaboration/people.ts';
import { ListedPublications } from '../../publications/components/listed-publications.tsx';
import { publicationsOfQuery } from '../../publications/queries.ts';

export function PersonPublications({ user }: { user: PublicUser }) {
  const list = useQuery(publicationsOfQuery({ owner: user.id }));
  return <ListedPublications list={list}>{personName(user)} has not published anything yet.</ListedPublications>;
}
