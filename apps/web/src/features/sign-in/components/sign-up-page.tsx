import { Group, PasswordInput, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { client } from '../../../platform/client.ts';
import { email, newPassword, userName } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { LinkButton, TextLink } from '../../../ui/links.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useArrive } from '../../session/mutations.ts';
import { AuthFoot, AuthHeading } from '../auth-parts.tsx';
import { configQuery } from '../queries.ts';
import { ProviderButtons } from './provider-buttons.tsx';

export function SignUpPage({ return_to }: { return_to?: string }) {
  const { name } = useTheme();
  const arrive = useArrive();
  const { sign_in } = useSuspenseQuery(configQuery).data;
  const referral_code = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('referral_code') });
  const form = useForm({
    initial: { first_name: '', last_name: '', user_name: '', email: '', password: '' },
    checks: { user_name: userName, email, password: newPassword },
    submit: async (values) => {
      const session = await client.signIn.signUp({ ...values, referral_code: referral_code ?? undefined });
      await arrive(session, return_to ?? null);
    },
  });

  if (!sign_in.local && !sign_in.providers.length) {
    return (
      <>
        <AuthHeading title="Accounts are by invitation">
          Only an admin can create accounts here. Ask an admin, or sign in.
        </AuthHeading>
        <LinkButton to="/sign-in" fullWidth>
          Sign in
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <AuthHeading title={`Create your ${name} account`}>Your guest projects are kept.</AuthHeading>
      <ProviderButtons providers={sign_in.providers} returnTo={return_to} />
      {sign_in.local && (
        <Form form={form} gap={12}>
          <Group grow gap={12} align="flex-start" wrap="nowrap">
            <TextInput label="First name" autoComplete="given-name" {...form.text('first_name')} />
            <TextInput label="Last name" autoComplete="family-name" {...form.text('last_name')} />
          </Group>
          <TextInput
            label="User name"
            description="Letters, digits and underscores. Part of your profile address."
            autoComplete="nickname"
            required
            {...form.text('user_name')}
          />
          <TextInput label="E-mail" type="email" autoComplete="username" required {...form.text('email')} />
          <PasswordInput
            label="Password"
            description="At least 10 characters; a few words you can remember are best"
            autoComplete="new-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            {...form.text('password')}
          />
          <FormProblem problem={form.problem} />
          <SubmitButton pending={form.pending} fullWidth mt={4}>
            Create account
          </SubmitButton>
        </Form>
      )}
      <AuthFoot>
        Already have an account?{' '}
        <TextLink to="/sign-in" search={{ return_to }}>
          Sign in
        </TextLink>
      </AuthFoot>
    </>
  );
}
