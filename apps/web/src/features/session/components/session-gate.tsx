import { errorText } from '@atoll/contract/errors';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { openSession } from '../../../platform/boot/boot.ts';
import { getRootPath } from '../../../platform/http.ts';
import type { MeQuery, SessionStart } from '../../../platform/session.ts';
import { Problem, RetryButton } from '../../../ui/problem.tsx';
import { sessionQuery } from '../queries.ts';

/** Lets the app in once it is known who is here; otherwise says why not and how to go on. */
export function SessionGate({ first, children }: { first: SessionStart; children: ReactNode }) {
  const [start, setStart] = useState(first);
  const queryClient = useQueryClient();

  const again = async (extra: MeQuery = {}) => {
    const next = await openSession(extra);
    if (next.state === 'ready') queryClient.setQueryData(sessionQuery.queryKey, next.session);
    setStart(next);
    return next.state === 'ready';
  };

  if (start.state === 'ready') return children;
  if (start.state === 'expired') {
    const signIn = async () => {
      const here = location.pathname + location.search;
      history.replaceState(null, '', `${getRootPath()}/sign-in?return_to=${encodeURIComponent(here)}`);
      await again({ session_continue: true });
    };
    return (
      <main>
        <Problem
          title="Your session has ended"
          actions={
            <>
              <Button onClick={signIn}>Sign in again</Button>
              <Button variant="default" onClick={() => again({ session_continue: true })}>
                Continue as a guest
              </Button>
            </>
          }
        >
          Sign in again to continue where you left off.
        </Problem>
      </main>
    );
  }
  const isGeneric = start.message === errorText.authenticationFailed;
  return (
    <main>
      <Problem
        title={isGeneric ? errorText.authenticationFailed : 'Could not sign you in'}
        details={start.requestId && `Request ${start.requestId}`}
        actions={<RetryButton onClick={() => again()} />}
      >
        {isGeneric ? 'Check your connection and try again.' : start.message}
      </Problem>
    </main>
  );
}
