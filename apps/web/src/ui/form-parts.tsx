import {
  Alert,
  Button,
  type ButtonProps,
  Group,
  type GroupProps,
  Skeleton,
  Stack,
  type StackProps,
} from '@mantine/core';
import type { FormEvent, FormHTMLAttributes, ReactNode } from 'react';
import { messageOf } from '../platform/api-error.ts';
import classes from './styles/forms.module.css';

interface FormState {
  send(event: FormEvent): unknown;
  pending: boolean;
  problem: { message: string; details: string | null } | null;
}

/** Fields below each other. */
export const Form = ({ form, gap, children }: { form: FormState; gap?: StackProps['gap']; children: ReactNode }) => (
  <form onSubmit={form.send} noValidate>
    <Stack gap={gap}>{children}</Stack>
  </form>
);

interface InlineFormProps extends FormHTMLAttributes<HTMLFormElement> {
  form: FormState;
}

/** Fields beside each other, the button with them. */
export const InlineForm = ({ form, children, ...rest }: InlineFormProps) => (
  <form onSubmit={form.send} noValidate {...rest}>
    <div className={classes.inline}>{children}</div>
    <FormProblem problem={form.problem} />
  </form>
);

/** The form's own failure, above the button that caused it. */
export function FormProblem({ problem }: Pick<FormState, 'problem'>) {
  if (!problem) return null;
  return (
    <Alert color="danger" role="alert">
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

interface FormActionsProps extends Omit<SubmitProps, 'pending'> {
  form: FormState;
  onClose?: () => void;
  /** Stands first. */
  before?: ReactNode;
  justify?: GroupProps['justify'];
}

/** The end of a form: what failed, and its buttons. */
export function FormActions({ form, onClose, before, justify = 'flex-end', ...submit }: FormActionsProps) {
  return (
    <>
      <FormProblem problem={form.problem} />
      <Group justify={justify} gap="sm">
        {before}
        {onClose && (
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        )}
        <SubmitButton pending={form.pending} {...submit} />
      </Group>
    </>
  );
}

/** In place of a form in a dialog whose values are on their way, or could not be loaded. */
export function FormSkeleton({ problem }: { problem: unknown }) {
  if (problem) return <FormProblem problem={{ message: messageOf(problem) ?? '', details: null }} />;
  return (
    <Stack aria-busy>
      {[1, 2, 3, 4].map((shape) => (
        <Skeleton key={shape} height={52} />
      ))}
    </Stack>
  );
}
