import { sharingPresets } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import type { TeamPermission, UserPermission } from '@atoll/contract/sharing/endpoints';
import { personName } from '@atoll/contract/users/names';
import { NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { PersonLine } from '../../people/person-line.tsx';
import { type Granted, offeredPresets, presetWords, type Role, roleOf } from '../model.ts';
import { useChangeGrant, useChangeTeamGrant, useUnshare, useUnshareWithTeam } from '../mutations.ts';
import { PermissionChoice } from './permission-choice.tsx';
import classes from './sharing.module.css';
import { TeamLine } from './team-line.tsx';

export function GrantRow({ project, grant }: { project: Project; grant: UserPermission }) {
  const unshare = useUnshare(project.id);
  const change = useChangeGrant(project.id, grant);
  if (unshare.isPending) return null;
  return (
    <Row
      project={project}
      name={personName(grant.user)}
      granted={{ permissions: grant.permissions, isAuthor: grant.is_author }}
      change={change}
      onRemove={() => unshare.mutate(grant)}
      line={(action) => <PersonLine person={grant.user} isLink action={action} />}
    />
  );
}

export function TeamGrantRow({ project, grant }: { project: Project; grant: TeamPermission }) {
  const unshare = useUnshareWithTeam(project.id);
  const change = useChangeTeamGrant(project.id, grant);
  if (unshare.isPending) return null;
  return (
    <Row
      project={project}
      name={grant.team.name}
      granted={{ permissions: grant.permissions }}
      change={change}
      onRemove={() => unshare.mutate(grant)}
      line={(action) => <TeamLine team={grant.team} isLink action={action} />}
    />
  );
}

interface RowProps {
  project: Project;
  name: string;
  granted: Granted;
  change: UseMutationResult<unknown, Error, Granted>;
  onRemove(): void;
  line(action: ReactNode): ReactNode;
}

function Row({ project, name, granted, change, onRemove, line }: RowProps) {
  const [isChoosing, setChoosing] = useState(false);
  // Shown at once, and as it was when it is refused.
  const shown = change.isPending ? { ...granted, ...change.variables } : granted;
  const role = isChoosing ? 'custom' : roleOf(shown.permissions);
  const mine = [...project.permissions, ...granted.permissions];
  const choose = (next: Role) => {
    setChoosing(next === 'custom');
    if (next !== 'custom') change.mutate({ ...shown, permissions: [...sharingPresets[next]] });
  };
  return (
    <li className={classes.row}>
      {line(
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
          <IconButton label={`Remove ${name}`} tip="Remove access" size={28} onClick={onRemove}>
            <IconX size={16} stroke={1.6} />
          </IconButton>
        </>,
      )}
      {isChoosing && (
        <PermissionChoice
          name={name}
          before={shown}
          mine={mine}
          pending={change.isPending}
          onSave={(chosen) => change.mutate(chosen, { onSuccess: () => setChoosing(false) })}
          onCancel={() => setChoosing(false)}
        />
      )}
    </li>
  );
}
