import '../../../collaboration/people.css';
import type { LobbyMeta } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { type CSSProperties, useEffect } from 'react';
import { usePeople } from '../../../collaboration/lobby-context.tsx';
import type { Person } from '../../../collaboration/people.ts';
import { useNotebook, useSignal } from '../../../notebook/notebook-context.tsx';
import { fitting } from '../../geometry.ts';
import { useBoard } from '../board-context.tsx';
import classes from './others.module.css';

type Shown = NonNullable<LobbyMeta['board']>;

/** The other people on this board, with the state that each of them shares. */
export function useOthers(): { person: Person; board: Shown }[] {
  const { fileId } = useNotebook();
  return usePeople().flatMap((person) => {
    const place = person.places.find(({ file_id, board }) => file_id === fileId && board);
    return place?.board ? { person, board: place.board } : [];
  });
}

/** Draws pointers, names and selections of the others, and moves the things that they drag. */
export function Others() {
  const board = useBoard();
  const others = useOthers();
  const following = useSignal(board, 'following', board.getFollowing);
  const moving = others.flatMap((other) => other.board.moving);
  const told = JSON.stringify(moving);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same places are the same.
  useEffect(() => {
    board.watch(moving);
    const later = setTimeout(() => board.watch(moving), 1_100);
    return () => clearTimeout(later);
  }, [board, told]);
  const view = others.find(({ person }) => person.user.id === following)?.board.view;
  const seen = view?.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same view is the same.
  useEffect(() => {
    if (!view) return;
    const [x, y, w, h] = view;
    board.show(fitting({ x, y, w, h }, board.getScreen(), 4, 0));
  }, [board, seen]);
  return others.map(({ person, board: shown }) => (
    <div key={person.user.id} style={{ '--colour': `var(--person-${person.colour})` } as CSSProperties}>
      {board.boxesOf(shown.selected.slice(0, 50)).map(({ id, x, y, w, h }) => (
        <div
          key={id}
          className={classes.theirs}
          style={{ transform: `translate(${x}px, ${y}px)`, width: w, height: h }}
        />
      ))}
      {shown.pointer && (
        <div
          className={classes.cursor}
          data-person={person.user.id}
          style={{ transform: `translate(${shown.pointer[0]}px, ${shown.pointer[1]}px)` }}
        >
          <svg viewBox="0 0 16 16" aria-hidden>
            <path d="M1 1l5 13 2-5.5L13.500 6.500z" />
          </svg>
          <span>{personName(person.user)}</span>
        </div>
      )}
    </div>
  ));
}
