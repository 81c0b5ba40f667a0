import '../../../collaboration/people.css';
import { initialsOf, personName } from '@atoll/contract/users/names';
import { Tooltip, UnstyledButton } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { useOthers } from '../board/others.tsx';
import { useBoard } from '../board-context.tsx';
import classes from './panels.module.css';

/** The people on the board; a press follows one of them. */
export function People() {
  const board = useBoard();
  const others = useOthers();
  const following = useSignal(board, 'following', board.getFollowing);
  if (others.length === 0) return null;
  return (
    <div className={classes.people} role="toolbar" aria-label="People on the canvas" data-no-board>
      {others.slice(0, 8).map(({ person }) => {
        const name = personName(person.user);
        const isFollowed = following === person.user.id;
        return (
          <Tooltip key={person.user.id} label={isFollowed ? `Following ${name}` : `Follow ${name}`}>
            <UnstyledButton
              className={classes.person}
              style={{ '--colour': `var(--person-${person.colour})` } as CSSProperties}
              aria-label={isFollowed ? `Stop following ${name}` : `Follow ${name}`}
              aria-pressed={isFollowed}
              onClick={() => board.follow(isFollowed ? null : person.user.id)}
            >
              {initialsOf(personName(person.user))}
            </UnstyledButton>
          </Tooltip>
        );
      })}
    </div>
  );
}
