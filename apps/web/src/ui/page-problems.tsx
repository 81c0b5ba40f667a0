import type { ErrorComponentProps } from '@tanstack/react-router';
import { messageOf } from '../platform/api-error.ts';
import { LinkButton } from './links.tsx';
import { detailsOf, Problem, RetryButton } from './problem.tsx';

const home = (
  <LinkButton to="/" variant="default">
    Go to the start
  </LinkButton>
);

export function NotFound() {
  return (
    <Problem title="This page does not exist" actions={home}>
      The address may be mistyped, or what was here has moved. You may also lack the permission to see it.
    </Problem>
  );
}

export function PageProblem({ error, reset }: ErrorComponentProps) {
  return (
    <Problem
      title="This page could not be shown"
      details={detailsOf(error)}
      actions={
        <>
          <RetryButton onClick={reset} />
          {home}
        </>
      }
    >
      {messageOf(error)} What you did elsewhere is kept.
    </Problem>
  );
}

export function NoPermission({ what }: { what: string }) {
  return (
    <Problem title="You may not open this page" actions={home}>
      {what} If you need it, ask an administrator of this workspace.
    </Problem>
  );
}
