import { personName } from '@atoll/contract/users/names';
import './people.css';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { toastError } from '../../ui/toast.ts';
import { useSession } from '../session/queries.ts';
import classes from './components/lock-banner.module.css';
import type { FileLock, LockView } from './file-lock.ts';

interface LockBannerProps {
  lock: FileLock;
  view: LockView;
  /** Actions for text that was typed here and is not saved. */
  children?: ReactNode;
}

/** Says why the text cannot be edited now, and how it can. */
export function LockBanner({ lock, view: { other, wasTaken }, children }: LockBannerProps) {
  const isMyself = useSession().id === other?.user.id;
  const [isPending, setPending] = useState(false);
  if (!other) return null;
  const who = isMyself ? 'You are' : `${personName(other.user)} is`;
  const where = isMyself ? ' in another window' : '';
  const takeOver = async () => {
    setPending(true);
    await lock.takeOver().catch((error: unknown) => toastError(error, 'Could not take over'));
    setPending(false);
  };
  return (
    <div className={classes.banner} role="status">
      <IconPencil size={15} stroke={1.6} aria-hidden />
      <span className={classes.words}>
        {wasTaken && !isMyself ? `${personName(other.user)} took over` : `${who} editing this file${where}`}
        {children && <span>. Your last changes are not saved.</span>}
      </span>
      <span className={classes.actions}>
        {children}
        <Button size="xs" variant="default" loading={isPending} onClick={takeOver}>
          Take over
        </Button>
      </span>
    </div>
  );
}
