import { givenTeamRoles, type TeamRole } from '@atoll/contract/teams/access';
import type { TeamDetail, TeamMember } from '@atoll/contract/teams/entity';
import { personName } from '@atoll/contract/users/names';
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { PersonLine } from '../../people/person-line.tsx';
import { roleWords } from '../model.ts';
import { useChangeMember, useRemoveMember } from '../mutations.ts';
import { membersQuery } from '../queries.ts';
import classes from '../teams.module.css';

const roles = givenTeamRoles.map((role) => ({ value: role, label: roleWords[role].label }));

export function TeamMembers({ team }: { team: TeamDetail }) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const list = useInfiniteQuery(membersQuery(team.id, search));
  const members = list.data?.pages.flatMap((page) => page.entries);
  return (
    <Panel
      title="Members"
      aside={
        team.permissions.includes('edit') && (
          <LinkButton size="xs" to="/teams/$teamId/$tab" params={{ teamId: team.id, tab: 'invites' }}>
            Invite
          </LinkButton>
        )
      }
    >
      {(team.users_count > 10 || text) && (
        <TextInput
          mb="sm"
          type="search"
          aria-label="Search members"
          placeholder="Search by name"
          leftSection={<IconSearch size={15} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {members?.length === 0 && <NothingHere>No members match.</NothingHere>}
      <Rows label="Members">
        {members?.map((member) => (
          <MemberRow key={member.user.id} team={team} member={member} />
        ))}
      </Rows>
      <MoreButton list={list} mt="sm" />
    </Panel>
  );
}

function MemberRow({ team, member }: { team: TeamDetail; member: TeamMember }) {
  const change = useChangeMember();
  const remove = useRemoveMember();
  const name = personName(member.user);
  const named = { id: team.id, userId: member.user.id };
  const role = change.isPending ? change.variables.role : member.role;
  if (remove.isPending) return null;
  return (
    <li className={classes.row}>
      <PersonLine person={member.user} isLink />
      {member.permissions.includes('edit') ? (
        <NativeSelect
          size="xs"
          className={classes.role}
          aria-label={`Role of ${name}`}
          data={roles}
          value={role}
          onChange={(event) =>
            change.mutate({ ...named, role: event.currentTarget.value as Exclude<TeamRole, 'owner'> })
          }
        />
      ) : (
        <Text size="sm" c="dimmed" title={roleWords[member.role].text}>
          {roleWords[member.role].label}
        </Text>
      )}
      {member.permissions.includes('delete') && (
        <IconButton label={`Remove ${name}`} tip="Remove from team" size={28} onClick={() => remove.mutate(named)}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      )}
    </li>
  );
}
