import '@mantine/core/styles/Checkbox.layer.css';
import {
  type ProjectAbility,
  type ProjectPermission,
  projectPermissions,
  withImplied,
} from '@atoll/contract/projects/access';
import type { UserPermission } from '@atoll/contract/sharing/endpoints';
import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { personName } from '../../collaboration/people.ts';
import { permissionWords, without } from '../model.ts';
import classes from './sharing.module.css';

interface PermissionChoiceProps {
  grant: UserPermission;
  mine: readonly ProjectAbility[];
  pending: boolean;
  onSave(chosen: { permissions: ProjectPermission[]; isAuthor: boolean }): void;
  onCancel(): void;
}

/** One by one; what brings others along ticks them too. */
export function PermissionChoice({ grant, mine, pending, onSave, onCancel }: PermissionChoiceProps) {
  const [chosen, setChosen] = useState(grant.permissions);
  const [isAuthor, setAuthor] = useState(grant.is_author);
  const isOpen = (permission: ProjectPermission) =>
    withImplied([permission]).every((each) => mine.includes(each) || grant.permissions.includes(each));
  const toggle = (permission: ProjectPermission, on: boolean) =>
    setChosen(on ? withImplied([...chosen, permission]) : without(chosen, permission));
  return (
    <fieldset className={classes.choice} aria-label={`What ${personName(grant.user)} may do, one by one`}>
      <div className={classes.boxes}>
        {projectPermissions.map((permission) => (
          <Checkbox
            key={permission}
            size="xs"
            label={permissionWords[permission]}
            checked={chosen.includes(permission)}
            disabled={!isOpen(permission)}
            onChange={(event) => toggle(permission, event.currentTarget.checked)}
          />
        ))}
      </div>
      <Checkbox
        size="xs"
        className={classes.author}
        label="Named as an author"
        checked={isAuthor}
        onChange={(event) => setAuthor(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="sm">
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          size="xs"
          loading={pending}
          disabled={chosen.length === 0}
          onClick={() => onSave({ permissions: chosen, isAuthor })}
        >
          Save
        </Button>
      </Group>
    </fieldset>
  );
}
