import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { newPassword } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { useArrive } from '../../session/mutations.ts';
import { AuthHeading } from '../auth-parts.tsx';
import { DeadLink } from './dead-link.tsx';
import { useOneTimeToken } from './one-time-token.ts';

export function ResetPage() {
  const token = useOneTimeToken();
  const arrive = useArrive();
  const [dead, setDead] = useState<unknown>(null);
  const form = useForm({
    initial: { password: '' },
    checks: { password: newPassword },
    submit: async ({ password }) => {
      try {
        await arrive(await client.signIn.redeemPasswordReset({ token: token ?? '', password }), null);
        toast('Password changed. All other sessions were signed out.');
      } catch (error) {
        if (error instanceof ApiError && error.fields.password) throw error;
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return setDead(error);
        throw error;
      }
    },
  });
  if (!token || dead) return <DeadLink error={dead} to="/forgot-password" label="Request a new link" />;
  return (
    <>
      <AuthHeading title="Set a new password" />
      <Form form={form} gap={12}>
        <PasswordInput
          label="New password"
          description="At least 10 characters; a few words you can remember are best"
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          {...form.text('password')}
        />
        <FormProblem problem={form.problem} />
        <SubmitButton pending={form.pending} fullWidth>
          Set password and sign in
        </SubmitButton>
      </Form>
    </>
  );
}
