import { Button } from '@mantine/core';
import { useSession } from '../session/queries.ts';
import classes from './mask-banner.module.css';
import { useUnmask } from './mutations.ts';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Above everything, as long as an admin acts as another person. */
export function MaskBanner() {
  const session = useSession();
  const unmask = useUnmask();
  if (!session.masked_by) return null;
  return (
    <div className={classes.banner} role="status">
      <span>
        You are acting as @{session.user_name}
        {session.expires_at && ` until ${time.format(new Date(session.expires_at))}`}. You can read their pages but
        change nothing.
      </span>
      <Button size="xs" variant="default" loading={unmask.isPending} onClick={() => unmask.mutate(session.id)}>
        Stop
      </Button>
    </div>
  );
}
