import { personName } from '@atoll/contract/users/names';
import '../../collaboration/people.css';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { usePeopleWhere } from '../../collaboration/lobby-context.tsx';
import { useLock, useNotebook, useNotebookMode } from '../notebook-context.tsx';
import classes from './cell.module.css';

export function useLockColour(id: string): CSSProperties | undefined {
  const lock = useLock(id);
  const [person] = usePeopleWhere(({ user }) => user.id === lock?.user.id);
  return lock ? ({ '--colour': `var(--person-${person?.colour ?? 0})` } as CSSProperties) : undefined;
}

/** Who writes here, and how to do it instead. */
export function LockBar({ id }: { id: string }) {
  const { store } = useNotebook();
  const lock = useLock(id);
  const mode = useNotebookMode();
  if (!lock) return null;
  const isMyself = lock.user.id === store.options.me;
  return (
    <div className={classes.lock} role="status">
      <IconPencil size={13} aria-hidden />
      <span>
        {isMyself ? 'You are editing this cell in another window' : `${personName(lock.user)} is editing this cell`}
      </span>
      {mode === 'edit' && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => store.takeOver(id).catch(() => store.options.notify('Could not take over.', true))}
        >
          Take over
        </Button>
      )}
    </div>
  );
}
