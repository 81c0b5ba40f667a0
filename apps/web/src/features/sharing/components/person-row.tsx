import type { PersonSummary } from '@atoll/contract/projects/entity';
import { Text } from '@mantine/core';
import { PersonLine } from '../../people/person-line.tsx';
import classes from './sharing.module.css';

export function OwnerRow({ person }: { person: PersonSummary }) {
  return (
    <li className={classes.row}>
      <PersonLine
        person={person}
        isLink
        action={
          <Text size="sm" c="dimmed">
            Owner
          </Text>
        }
      />
    </li>
  );
}
