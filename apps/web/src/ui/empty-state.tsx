import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../platform/api-error.ts';
import { LinkButton } from './links.tsx';
import { RetryButton } from './problem.tsx';
import classes from './styles/lists.module.css';

/** In place of a list that has nothing in it; large where it is all there is on the page. */
export const EmptyState = ({ isLarge, children }: { isLarge?: boolean; children: ReactNode }) => (
  <div className={classes.empty} data-large={isLarge || undefined}>
    {children}
  </div>
);

/** In place of what guests cannot have. */
export const AccountNeeded = ({ children }: { children: string }) => (
  <EmptyState>
    <Text c="dimmed">{children}</Text>
    <LinkButton to="/sign-up">Create account</LinkButton>
  </EmptyState>
);

/** In place of what could not be loaded; a guest can sign in, which trying again would not do. */
export const LoadProblem = (props: { error: unknown; onRetry(): unknown; isLarge?: boolean }) => (
  <div className={classes.empty} data-large={props.isLarge || undefined} role="alert">
    <Text c="dimmed">{messageOf(props.error)}</Text>
    {props.error instanceof ApiError && props.error.status === 401 ? (
      <LinkButton to="/sign-in">Sign in</LinkButton>
    ) : (
      <RetryButton onClick={() => props.onRetry()} />
    )}
  </div>
);
