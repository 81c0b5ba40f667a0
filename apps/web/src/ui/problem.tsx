import { Button, Code, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../platform/api-error.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './problem.module.css';

interface ProblemProps {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  details?: string | null;
}

/** A page that could not be shown: what happened, what to do, and details to hand on. */
export function Problem({ title, children, actions, details }: ProblemProps) {
  return (
    <div className={classes.problem} role="alert">
      <Title order={1}>{title}</Title>
      <Text c="dimmed" className={classes.text}>
        {children}
      </Text>
      {actions && <Group gap="sm">{actions}</Group>}
      {details && (
        <details className={classes.details}>
          <summary>Details</summary>
          <Code block className={classes.code}>
            {details}
          </Code>
          <CopyButton value={details} label="Copy details" />
        </details>
      )}
    </div>
  );
}

export function RetryButton({ onClick }: { onClick: () => void }) {
  return <Button onClick={onClick}>Try again</Button>;
}

/** What to hand to whoever runs the server. */
export function detailsOf(error: unknown): string | null {
  if (error instanceof ApiError) {
    const request = error.requestId ? `\nRequest ${error.requestId}` : '';
    return `${error.status} ${error.code}: ${error.message}${request}`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : null;
}
