import type { TeamPermission } from '@atoll/contract/sharing/endpoints';
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import people from '../../people/people.module.css';
import { counted } from '../../teams/model.ts';
import { TeamMark } from '../../teams/team-mark.tsx';

export function TeamLine({
  team,
  action,
  isLink,
}: {
  team: TeamPermission['team'];
  action?: ReactNode;
  isLink?: boolean;
}) {
  return (
    <div className={people.line}>
      <TeamMark team={team} size={32} />
      <div className={people.names}>
        {isLink ? (
          <Link to="/teams/$teamId" params={{ teamId: team.id }} className={people.name}>
            {team.name}
          </Link>
        ) : (
          <div className={people.name}>{team.name}</div>
        )}
        <Text size="sm" c="dimmed" truncate>
          Team, {counted(team.users_count, 'member')}
        </Text>
      </div>
      {action}
    </div>
  );
}
