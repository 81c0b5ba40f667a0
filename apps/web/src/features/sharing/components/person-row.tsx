import type { PersonSummary } from '@atoll/contract/projects/entity';
import { Avatar, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { personInitials, personName } from '../../collaboration/people.ts';
import classes from './sharing.module.css';

export function PersonLine({ person, action }: { person: PersonSummary; action?: ReactNode }) {
  return (
    <div className={classes.line}>
      <Avatar src={person.avatar} alt="" size={32} color="primary" variant="light" radius={999}>
        <span aria-hidden>{personInitials(person)}</span>
      </Avatar>
      <div className={classes.names}>
        <div className={classes.name}>{personName(person)}</div>
        <Text size="sm" c="dimmed" truncate>
          @{person.user_name}
        </Text>
      </div>
      {action}
    </div>
  );
}

export function OwnerRow({ person }: { person: PersonSummary }) {
  return (
    <li className={classes.row}>
      <PersonLine
        person={person}
        action={
          <Text size="sm" c="dimmed">
            Owner
          </Text>
        }
      />
    </li>
  );
}
