import { errorText } from '@atoll/contract/errors';
import { Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { LinkButton, TextLink } from '../../../ui/links.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useArrive } from '../../session/mutations.ts';
import { AuthFoot, AuthHeading } from '../auth-parts.tsx';
import { offerPasskeys, stopOffering } from '../passkey.ts';
import { configQuery } from '../queries.ts';
import { LinkSent } from './link-sent.tsx';
import { MailLinkButton } from './mail-link-button.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButtons } from './provider-buttons.tsx';

export function SignInPage({ return_to }: { return_to?: string }) {
  const { name } = useTheme();
  const arrive = useArrive();
  const { sign_in, mail } = useSuspenseQuery(configQuery).data;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '', password: '' },
    checks: { email: required('Your e-mail address'), password: required('Your password') },
    submit: async (values) => arrive(await client.signIn.signIn(values).catch(inTheirWords), return_to ?? null),
  });
  usePasskeySuggestions(return_to);

  if (sentTo) return <LinkSent email={sentTo} onBack={() => setSentTo(null)} />;
  return (
    <>
      <AuthHeading title={`Sign in to ${name}`} />
      <ProviderButtons providers={sign_in.providers} returnTo={return_to} />
      <Form form={form} gap={12}>
        <TextInput label="E-mail" type="email" autoComplete="username webauthn" autoFocus {...form.text('email')} />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          {...form.text('password')}
        />
        <FormProblem problem={form.problem} />
        <SubmitButton pending={form.pending} fullWidth mt={4}>
          Sign in
        </SubmitButton>
      </Form>
      <Divider label="or" my={16} />
      <Stack gap={8}>
        {mail.is_delivered && <MailLinkButton email={form.values.email} returnTo={return_to} onSent={setSentTo} />}
        <PasskeyButton onSignedIn={(session) => arrive(session, return_to ?? null)} />
        <LinkButton to="/forgot-password" variant="subtle" color="gray" size="xs">
          Forgot password?
        </LinkButton>
      </Stack>
      {sign_in.local && (
        <AuthFoot>
          New here?{' '}
          <TextLink to="/sign-up" search={{ return_to }}>
            Create account
          </TextLink>
        </AuthFoot>
      )}
    </>
  );
}

/** The server must not say which of the two is wrong, and neither do we. */
function inTheirWords(error: unknown): never {
  const isWrong = error instanceof ApiError && error.message === errorText.authenticationFailed;
  throw isWrong ? new Error('Wrong e-mail address or password.') : error;
}

function usePasskeySuggestions(returnTo: string | undefined): void {
  const arrive = useArrive();
  // biome-ignore lint/correctness/useExhaustiveDependencies: offered once while the page is open.
  useEffect(() => {
    let open = true;
    offerPasskeys().then(
      (session) => {
        if (open && session) arrive(session, returnTo ?? null);
      },
      () => {},
    );
    return () => {
      open = false;
      stopOffering();
    };
  }, []);
}
