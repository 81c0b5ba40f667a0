import '../../collaboration/people.css';
import type { CSSProperties } from 'react';
import { usePeopleWhere } from '../../collaboration/lobby-context.tsx';
import { useLock } from '../notebook-context.tsx';

/** A frame in the colour of the person who writes in the cell. */
export function useLockMark(id: string): { 'data-locked'?: true; style?: CSSProperties } {
  const lock = useLock(id);
  const [person] = usePeopleWhere(({ user }) => user.id === lock?.user.id);
  return lock
    ? { 'data-locked': true, style: { '--colour': `var(--person-${person?.colour ?? 0})` } as CSSProperties }
    : {};
}
