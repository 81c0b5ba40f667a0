import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import cards from '../../../ui/styles/cards.module.css';
import { TeamCard } from '../../teams/team-card.tsx';
import { teamsOfQuery } from '../queries.ts';

export function PersonTeams({ user }: { user: PublicUser }) {
  const { data, error } = useQuery(teamsOfQuery(user.id));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0) return <NothingHere>No teams are visible to you of {personName(user)}.</NothingHere>;
  return (
    <ul className={cards.cards} aria-label="Teams">
      {data?.entries.map((team) => (
        <TeamCard key={team.id} team={team} />
      ))}
    </ul>
  );
}
