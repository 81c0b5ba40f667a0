import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '../../collaboration/people.ts';
import { ListedPublications } from '../../publications/components/listed-publications.tsx';

export function PersonPublications({ user }: { user: PublicUser }) {
  return (
    <ListedPublications of={{ owner: user.id }}>{personName(user)} has not published anything yet.</ListedPublications>
  );
}
