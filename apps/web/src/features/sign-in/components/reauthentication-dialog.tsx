import type { Session } from '@atoll/contract/session/entity';
import { Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { keepToken } from '../../../platform/credentials.ts';
import { finishProof } from '../../../platform/reauthentication.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { sessionQuery, useSession } from '../../session/queries.ts';
import { useIsMailDelivered } from '../mail-missing.tsx';
import { MailLinkButton } from './mail-link-button.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** Asks who is at the keyboard before something sensitive, then lets the waiting call go on. */
export function ReauthenticationDialog() {
  const session = useSession();
  const queryClient = useQueryClient();
  const isMailDelivered = useIsMailDelivered();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { password: '' },
    checks: { password: required('Your password') },
    submit: async ({ password }) => prove(await client.signIn.signIn({ email: session.email ?? '', password })),
  });

  const prove = async (proven: Session) => {
    keepToken(proven.token);
    // A passkey may belong to somebody else; their page must not show this person's data.
    if (proven.id !== session.id) return location.reload();
    finishProof(true);
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };

  return (
    <Modal opened onClose={() => finishProof(false)} title="Confirm your identity" size="sm">
      <Text c="dimmed" mb="md">
        {sentTo
          ? `We sent a link to ${sentTo}. Open it, then try again.`
          : 'This changes your account security. Please confirm your identity.'}
      </Text>
      <Stack gap={12}>
        {session.has_password && !sentTo && (
          <Form form={form} gap={12}>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              data-autofocus
              visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
              {...form.text('password')}
            />
            <FormProblem problem={form.problem} />
            <SubmitButton pending={form.pending} fullWidth>
              Continue
            </SubmitButton>
          </Form>
        )}
        <PasskeyButton onSignedIn={prove} />
        {session.email && !sentTo && isMailDelivered && (
          <MailLinkButton email={session.email} returnTo={location.pathname + location.search} onSent={setSentTo} />
        )}
      </Stack>
    </Modal>
  );
}
