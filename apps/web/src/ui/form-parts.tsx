import { Alert, Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The form's own failure, above the button that caused it. */
export function FormProblem({ problem }: { problem: { message: string; details: string | null } | null }) {
  if (!problem) return null;
  return (
    <Alert color="danger" variant="light" role="alert">
      {problem.message}
      {problem.details && (
        <details>
          <summary>Details</summary>
          {problem.details}
        </details>
      )}
    </Alert>
  );
}

export function SubmitButton({ pending, children, ...rest }: ButtonProps & { pending: boolean; children: ReactNode }) {
  return (
    <Button type="submit" loading={pending} {...rest}>
      {children}
    </Button>
  );
}
