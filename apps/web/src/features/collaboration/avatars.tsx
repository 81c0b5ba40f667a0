import { initialsOf, personName } from '@atoll/contract/users/names';
import './people.css';
import { Tooltip, UnstyledButton } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './components/people.module.css';
import { usePeople } from './lobby-context.tsx';
import { fileOf, type Person } from './people.ts';

interface AvatarsProps {
  files: { id: string; name: string }[];
  onGo(fileId: string): void;
}

const shown = 4;
export const personColour = ({ colour }: Person): CSSProperties =>
  ({ '--colour': `var(--person-${colour})` }) as CSSProperties;

/** The other people in the project. A press goes to the file of one of them. */
export function Avatars({ files, onGo }: AvatarsProps) {
  const people = usePeople();
  if (people.length === 0) return null;
  const rest = people.slice(shown);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className={classes.people} role="group" aria-label="People here">
      {people.slice(0, shown).map((person) => {
        const name = personName(person.user);
        const file = files.find(({ id }) => id === fileOf(person));
        const label = file ? `${name}, on ${file.name}` : name;
        return (
          <Tooltip key={person.user.id} label={label}>
            <UnstyledButton
              className={classes.person}
              style={personColour(person)}
              aria-label={label}
              data-idle={!file || undefined}
              onClick={() => file && onGo(file.id)}
            >
              {person.user.avatar ? <img src={person.user.avatar} alt="" /> : initialsOf(personName(person.user))}
            </UnstyledButton>
          </Tooltip>
        );
      })}
      {rest.length > 0 && (
        <Tooltip label={rest.map(({ user }) => personName(user)).join(', ')} multiline maw={280}>
          <span className={classes.rest}>+{rest.length}</span>
        </Tooltip>
      )}
    </div>
  );
}
