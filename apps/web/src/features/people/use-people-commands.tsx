import { personName } from '@atoll/contract/users/names';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../platform/client.ts';
import type { UseCommands } from '../../platform/features/web-feature.ts';
import { useSession } from '../session/queries.ts';
import { peopleQuery } from '../sharing/queries.ts';
import { counted } from '../teams/model.ts';
import { TeamMark } from '../teams/team-mark.tsx';
import { Face } from './person-line.tsx';

/** People and teams whose name fits, in the command palette. */
export const usePeopleCommands: UseCommands = (query) => {
  const router = useRouter();
  const session = useSession();
  const [search] = useDebouncedValue(query.trim(), 200);
  const isOn = search.length > 1;
  const { data: people, isPlaceholderData } = useQuery(peopleQuery(isOn && !session.is_guest ? search : ''));
  const { data: teams } = useQuery(
    api.teams.list.queryOptions({ input: { mode: 'all', search, page_size: 4 }, enabled: isOn }),
  );
  if (!isOn) return [];
  const actions = [
    ...(session.is_guest ? [] : (people?.entries ?? []).slice(0, 4)).map((person) => ({
      id: `person-${person.id}`,
      label: personName(person),
      description: `@${person.user_name}`,
      // The server decides who fits; the palette filters only who was found for something else.
      keywords: isPlaceholderData ? [] : [query],
      leftSection: <Face person={person} size={22} />,
      onClick: () => void router.navigate({ to: '/users/$username', params: { username: person.user_name } }),
    })),
    ...(teams?.entries ?? []).map((team) => ({
      id: `team-${team.id}`,
      label: team.name,
      description: `Team, ${counted(team.users_count, 'member')}`,
      keywords: [query],
      leftSection: <TeamMark team={team} size={22} />,
      onClick: () => void router.navigate({ to: '/teams/$teamId', params: { teamId: team.id } }),
    })),
  ];
  return [{ group: 'People and teams', actions }];
};
