import '@mantine/core/styles/Checkbox.layer.css';
import {
  type ProjectAbility,
  type ProjectPermission,
  projectPermissions,
  withImplied,
} from '@atoll/contract/projects/access';
import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { type Granted, givable, permissionWords, without } from '../model.ts';
import classes from './sharing.module.css';

interface PermissionChoiceProps {
  name: string;
  before: Granted;
  /** What can be given: what the sharer may do, and what is there already. */
  mine: readonly ProjectAbility[];
  pending: boolean;
  onSave(chosen: Granted): void;
  onCancel(): void;
}

/** One by one; what brings others along ticks them too. */
export function PermissionChoice({ name, before, mine, pending, onSave, onCancel }: PermissionChoiceProps) {
  const [chosen, setChosen] = useState(before.permissions);
  const [isAuthor, setAuthor] = useState(before.isAuthor);
  const isOpen = (permission: ProjectPermission) => givable([permission], mine);
  const toggle = (permission: ProjectPermission, on: boolean) =>
    setChosen(on ? withImplied([...chosen, permission]) : without(chosen, permission));
  return (
    <fieldset className={classes.choice} aria-label={`Permissions of ${name}`}>
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
      {isAuthor !== undefined && (
        <Checkbox
          size="xs"
          className={classes.author}
          label="Listed as author"
          checked={isAuthor}
          onChange={(event) => setAuthor(event.currentTarget.checked)}
        />
      )}
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
