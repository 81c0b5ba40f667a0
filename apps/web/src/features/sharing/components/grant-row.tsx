import { sharingPresets } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import type { UserPermission } from '@atoll/contract/sharing/endpoints';
import { personName } from '@atoll/contract/users/names';
import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { PersonLine } from '../../people/person-line.tsx';
import { offeredPresets, presetWords, type Role, roleOf } from '../model.ts';
import { useChangeGrant, useUnshare } from '../mutations.ts';
import { PermissionChoice } from './permission-choice.tsx';
import classes from './sharing.module.css';

export function GrantRow({ project, grant }: { project: Project; grant: UserPermission }) {
  const change = useChangeGrant(project.id, grant);
  const unshare = useUnshare(project.id);
  const [isChoosing, setChoosing] = useState(false);
  const name = personName(grant.user);
  // Shown at once, and as it was when it is refused.
  const { permissions, isAuthor } = change.isPending
    ? change.variables
    : { permissions: grant.permissions, isAuthor: grant.is_author };
  const role = isChoosing ? 'custom' : roleOf(permissions);
  const presets = offeredPresets([...project.permissions, ...grant.permissions]);
  if (unshare.isPending) return null;
  const choose = (next: Role) => {
    setChoosing(next === 'custom');
    if (next !== 'custom') change.mutate({ permissions: [...sharingPresets[next]], isAuthor });
  };
  return (
    <li className={classes.row}>
      <PersonLine
        person={grant.user}
        isLink
        action={
          <>
            <NativeSelect
              size="xs"
              aria-label={`Role of ${name}`}
              className={classes.role}
              data={[
                ...presets.map((each) => ({ value: each, label: presetWords[each].label })),
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
          before={{ permissions, isAuthor }}
          mine={[...project.permissions, ...grant.permissions]}
          pending={change.isPending}
          onSave={(chosen) => change.mutate({ isAuthor: false, ...chosen }, { onSuccess: () => setChoosing(false) })}
          onCancel={() => setChoosing(false)}
        />
      )}
    </li>
  );
}
