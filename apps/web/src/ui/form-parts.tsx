import { Alert, Button, type ButtonProps, Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOf } from '../platform/api-error.ts';

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

interface SubmitProps extends ButtonProps {
  pending: boolean;
  children: ReactNode;
}

export function SubmitButton({ pending, children, ...rest }: SubmitProps) {
  return (
    <Button type="submit" loading={pending} {...rest}>
      {children}
    </Button>
  );
}

interface FormActionsProps extends SubmitProps {
  onClose?: () => void;
  /** Stands first. */
  before?: ReactNode;
}

/** The end of a form in a dialog. */
export function FormActions({ onClose, before, ...submit }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="sm">
      {before}
      {onClose && (
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      )}
      <SubmitButton {...submit} />
    </Group>
  );
}

/** In place of a form in a dialog whose values are on their way, or could not be loaded. */
export function FormSkeleton({ problem }: { problem: unknown }) {
  if (problem) return <FormProblem problem={{ message: messageOf(problem) ?? '', details: null }} />;
  return (
    <Stack gap="md" aria-busy>
      {[1, 2, 3, 4].map((shape) => (
        <Skeleton key={shape} height={52} />
      ))}
    </Stack>
  );
}
