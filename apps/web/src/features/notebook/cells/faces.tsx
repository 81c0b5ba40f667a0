import { initialsOf, personName } from '@atoll/contract/users/names';
import '../../collaboration/people.css';
import type { CSSProperties } from 'react';
import { usePeopleWhere } from '../../collaboration/lobby-context.tsx';
import { useNotebook } from '../notebook-context.tsx';
import classes from './faces.module.css';

/** Avatars of the other people in this cell. */
export function Faces({ id }: { id: string }) {
  const { fileId } = useNotebook();
  const here = usePeopleWhere(({ places }) => places.some((place) => place.file_id === fileId && place.cell_id === id));
  if (here.length === 0) return null;
  return (
    <div className={classes.faces}>
      {here.slice(0, 3).map((person) => (
        <span
          key={person.user.id}
          className={classes.face}
          style={{ '--colour': `var(--person-${person.colour})` } as CSSProperties}
          title={personName(person.user)}
          role="img"
          aria-label={`${personName(person.user)} is in this cell`}
        >
          {person.user.avatar ? <img src={person.user.avatar} alt="" /> : initialsOf(personName(person.user))}
        </span>
      ))}
    </div>
  );
}
