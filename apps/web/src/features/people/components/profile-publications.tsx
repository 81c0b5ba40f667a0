import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { ListedPublications } from '../../publications/listed-publications.tsx';

export function PersonPublications({ user }: { user: PublicUser }) {
  return (
    <ListedPublications of={{ owner: user.id }}>{personName(user)} has not published anything yet.</ListedPublications>
  );
}
