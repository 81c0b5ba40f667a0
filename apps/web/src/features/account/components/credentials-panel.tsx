import type { Settings } from '@atoll/contract/account/entity';
import { Badge, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { email as checkEmail, newPassword } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { sessionQuery } from '../../session/queries.ts';
import { useIsMailDelivered } from '../../sign-in/mail-missing.tsx';
import { useResendConfirmation } from '../mutations.ts';
import { sessionsQuery, settingsQuery } from '../queries.ts';

function useSaveCredentials() {
  const queryClient = useQueryClient();
  return async (update: { email?: string; password?: string }) => {
    const settings = await client.account.updateCredentials(update);
    queryClient.setQueryData(settingsQuery.queryKey, settings);
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
}

export function CredentialsPanel() {
  const { data } = useSuspenseQuery(settingsQuery);
  return (
    <Panel title="E-mail and password" description="You confirm your identity before changing either.">
      <Stack gap={24}>
        <EmailForm key={data.email} settings={data} />
        <PasswordForm settings={data} />
      </Stack>
    </Panel>
  );
}

function EmailForm({ settings }: { settings: Settings }) {
  const save = useSaveCredentials();
  const resend = useResendConfirmation();
  const isMailDelivered = useIsMailDelivered();
  const form = useForm({
    initial: { email: settings.email ?? '' },
    checks: { email: checkEmail },
    submit: async ({ email }) => {
      await save({ email: email.trim() });
      toast(
        isMailDelivered
          ? 'E-mail address changed. Confirm it with the link we mailed to you.'
          : 'E-mail address changed. It cannot be confirmed: this workspace sends no mail yet.',
      );
    },
  });
  return (
    <Form form={form} gap={12}>
      <TextInput
        label={
          <Group gap={8} component="span" display="inline-flex">
            E-mail
            {settings.email && (
              <Badge component="span" size="sm" color={settings.is_email_confirmed ? 'success' : 'warning'}>
                {settings.is_email_confirmed ? 'Confirmed' : 'Not confirmed'}
              </Badge>
            )}
          </Group>
        }
        type="email"
        autoComplete="email"
        {...form.text('email')}
      />
      <FormProblem problem={form.problem} />
      <Group gap={8}>
        <SubmitButton variant="default" pending={form.pending} disabled={!form.isDirty}>
          Change e-mail
        </SubmitButton>
        {settings.email && !settings.is_email_confirmed && isMailDelivered && (
          <Button
            variant="subtle"
            loading={resend.isPending}
            disabled={resend.isSuccess}
            onClick={() => resend.mutate()}
          >
            {resend.isSuccess ? 'Link sent' : 'Resend link'}
          </Button>
        )}
      </Group>
    </Form>
  );
}

function PasswordForm({ settings }: { settings: Settings }) {
  const save = useSaveCredentials();
  const form = useForm({
    initial: { password: '' },
    checks: { password: (value) => (value ? newPassword(value) : null) },
    submit: async ({ password }) => {
      await save({ password });
      form.set('password', '');
      toast('Password changed. All other sessions were signed out.');
    },
  });
  return (
    <Form form={form} gap={12}>
      {/* Password managers want to know whose password this is. */}
      <input type="text" name="username" autoComplete="username" defaultValue={settings.email ?? ''} hidden readOnly />
      <PasswordInput
        label={settings.has_password ? 'New password' : 'Password'}
        description="At least 10 characters. Changing it signs out all other sessions."
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        {...form.text('password')}
      />
      <FormActions form={form} justify="flex-start" variant="default" disabled={!form.values.password}>
        {settings.has_password ? 'Change password' : 'Set password'}
      </FormActions>
    </Form>
  );
}
