import { personName } from '@atoll/contract/users/names';
import { VisuallyHidden } from '@mantine/core';
import { personColour } from './avatars.tsx';
import classes from './components/people.module.css';
import { usePeopleOn } from './lobby-context.tsx';

/** Dots of the other people on a file, beside its name. */
export function Dots({ fileId }: { fileId: string | undefined }) {
  const people = usePeopleOn(fileId);
  if (people.length === 0) return null;
  const names = people.map(({ user }) => personName(user)).join(', ');
  return (
    <span className={classes.dots} title={names}>
      {people.slice(0, 3).map((person) => (
        <span key={person.user.id} className={classes.dot} style={personColour(person)} />
      ))}
      <VisuallyHidden>, {names}</VisuallyHidden>
    </span>
  );
}
