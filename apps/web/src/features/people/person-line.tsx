import type { PersonSummary } from '@atoll/contract/projects/entity';
import { initialsOf, personName } from '@atoll/contract/users/names';
import { Avatar, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './people.module.css';

export function Face({ person, size = 32 }: { person: PersonSummary; size?: number }) {
  return (
    <Avatar src={person.avatar} alt="" size={size} color="primary" variant="light" radius={999}>
      <span aria-hidden>{initialsOf(personName(person))}</span>
    </Avatar>
  );
}

interface PersonLineProps {
  person: PersonSummary;
  /** What stands below the name instead of the user name. */
  detail?: ReactNode;
  action?: ReactNode;
  isLink?: boolean;
}

/** Somebody, as everywhere: face, name, and what can be done. */
export function PersonLine({ person, detail, action, isLink }: PersonLineProps) {
  return (
    <div className={classes.line}>
      <Face person={person} />
      <div className={classes.names}>
        {isLink ? (
          <Link to="/users/$username" params={{ username: person.user_name }} className={classes.name}>
            {personName(person)}
          </Link>
        ) : (
          <div className={classes.name}>{personName(person)}</div>
        )}
        <Text size="sm" c="dimmed" truncate>
          {detail ?? `@${person.user_name}`}
        </Text>
      </div>
      {action}
    </div>
  );
}

/** A few of many; how many there are is said beside them. */
export function Faces({ people }: { people: PersonSummary[] }) {
  return (
    <span className={classes.stack} aria-hidden>
      {people.map((person) => (
        <Face key={person.id} person={person} size={24} />
      ))}
    </span>
  );
}
