import { sharingPresets } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import type { TeamPermission } from '@atoll/contract/sharing/endpoints';
import { ActionIcon, NativeSelect, Text, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import people from '../../people/people.module.css';
import { counted } from '../../teams/model.ts';
import { TeamMark } from '../../teams/team-mark.tsx';
import { offeredPresets, presetWords, type Role, roleOf } from '../model.ts';
import { useChangeTeamGrant, useUnshareWithTeam } from '../mutations.ts';
import { PermissionChoice } from './permission-choice.tsx';
import classes from './sharing.module.css';

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

export function TeamGrantRow({ project, grant }: { project: Project; grant: TeamPermission }) {
  const change = useChangeTeamGrant(project.id, grant);
  const unshare = useUnshareWithTeam(project.id);
  const [isChoosing, setChoosing] = useState(false);
  const { name } = grant.team;
  const permissions = change.isPending ? change.variables : grant.permissions;
  const role = isChoosing ? 'custom' : roleOf(permissions);
  const mine = [...project.permissions, ...grant.permissions];
  if (unshare.isPending) return null;
  const choose = (next: Role) => {
    setChoosing(next === 'custom');
    if (next !== 'custom') change.mutate([...sharingPresets[next]]);
  };
  return (
    <li className={classes.row}>
      <TeamLine
        team={grant.team}
        isLink
        action={
          <>
            <NativeSelect
              size="xs"
              aria-label={`Role of ${name}`}
              className={classes.role}
              data={[
                ...offeredPresets(mine).map((each) => ({ value: each, label: presetWords[each].label })),
                { value: 'custom', label: 'Custom…' },
              ]}
              value={role}
              onChange={(event) => choose(event.currentTarget.value as Role)}
              onClick={() => role === 'custom' && setChoosing(true)}
            />
            <Tooltip label="Remove access">
              <ActionIcon size={28} aria-label={`Remove ${name}`} onClick={() => unshare.mutate(grant)}>
                <IconX size={16} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          </>
        }
      />
      {isChoosing && (
        <PermissionChoice
          name={name}
          before={{ permissions }}
          mine={mine}
          pending={change.isPending}
          onSave={(chosen) => change.mutate(chosen.permissions, { onSuccess: () => setChoosing(false) })}
          onCancel={() => setChoosing(false)}
        />
      )}
    </li>
  );
}
