import type { TeamDetail } from '@atoll/contract/teams/entity';
import { useQuery } from '@tanstack/react-query';
import { ListedPublications } from '../../publications/components/listed-publications.tsx';
import { publicationsOfQuery } from '../../publications/queries.ts';

/** Public ones of projects that are shared with the team. */
export function TeamPublications({ team }: { team: TeamDetail }) {
  const list = useQuery(publicationsOfQuery({ team: team.id }));
  return (
    <ListedPublications list={list}>
      No publications yet. Public publications of projects shared with the team appear here.
    </ListedPublications>
  );
}
