import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { email } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { AuthFoot, AuthHeading } from '../auth-parts.tsx';
import { MailMissing, useIsMailDelivered } from '../mail-missing.tsx';
import { LinkSent } from './link-sent.tsx';

export function ForgotPage() {
  const isMailDelivered = useIsMailDelivered();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '' },
    checks: { email },
    submit: async (values) => {
      await client.signIn.requestPasswordReset({ email: values.email.trim() });
      setSentTo(values.email.trim());
    },
  });
  if (sentTo) return <LinkSent email={sentTo} what="set a new password" onBack={() => setSentTo(null)} />;
  if (!isMailDelivered) {
    return (
      <>
        <AuthHeading title="Set a new password" />
        <MailMissing />
        <AuthFoot>
          <TextLink to="/sign-in">Back to sign-in</TextLink>
        </AuthFoot>
      </>
    );
  }
  return (
    <>
      <AuthHeading title="Reset your password">We send you a link to set a new password.</AuthHeading>
      <Form form={form} gap={12}>
        <TextInput label="E-mail" type="email" autoComplete="username" autoFocus {...form.text('email')} />
        <FormProblem problem={form.problem} />
        <SubmitButton pending={form.pending} fullWidth>
          Send link
        </SubmitButton>
      </Form>
      <AuthFoot>
        <TextLink to="/sign-in">Back to sign-in</TextLink>
      </AuthFoot>
    </>
  );
}
