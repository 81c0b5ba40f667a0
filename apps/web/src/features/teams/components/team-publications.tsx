import type { TeamDetail } from '@atoll/contract/teams/entity';
import { ListedPublications } from '../../publications/listed-publications.tsx';

/** Public ones of projects that are shared with the team. */
export function TeamPublications({ team }: { team: TeamDetail }) {
  return (
    <ListedPublications of={{ team: team.id }}>
      No publications yet. Public publications of projects shared with the team appear here.
    </ListedPublications>
  );
}
