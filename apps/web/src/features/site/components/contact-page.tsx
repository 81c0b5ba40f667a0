import { Alert, Anchor, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { atMost, email, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { Page } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { displayName } from '../../session/model.ts';
import { useSession } from '../../session/queries.ts';

const ownPage = '/contact-us';

export function ContactPage() {
  const session = useSession();
  const { name, contact_us_url } = useTheme();
  const [sent, setSent] = useState(false);
  const form = useForm({
    initial: { name: session.is_guest ? '' : displayName(session), email: session.email ?? '', message: '' },
    checks: {
      name: (value) => required('Your name')(value) ?? atMost(120)(value),
      email,
      message: (value) => required('A message')(value) ?? atMost(10_000)(value),
    },
    submit: async (values) => {
      await client.site.contactUs(values);
      setSent(true);
    },
  });

  return (
    <Page title="Contact" width="text" description={`Send a message to the team behind ${name}. We answer by e-mail.`}>
      {sent ? (
        <Alert color="success" role="status" title="Message sent">
          <Text size="sm" mb="sm">
            The answer goes to {form.values.email}.
          </Text>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              form.set('message', '');
              setSent(false);
            }}
          >
            Send another message
          </Button>
        </Alert>
      ) : (
        <Form form={form}>
          <Group grow gap={16} align="flex-start" preventGrowOverflow={false}>
            <TextInput label="Your name" autoComplete="name" required miw={200} {...form.text('name')} />
            <TextInput
              label="Your e-mail"
              type="email"
              autoComplete="email"
              required
              miw={200}
              {...form.text('email')}
            />
          </Group>
          <Textarea label="Message" rows={8} required {...form.text('message')} />
          <FormProblem problem={form.problem} />
          <Group justify="space-between">
            <SubmitButton pending={form.pending}>Send message</SubmitButton>
            {contact_us_url !== ownPage && (
              <Anchor href={contact_us_url} size="sm" underline="always">
                Other ways to reach us
              </Anchor>
            )}
          </Group>
        </Form>
      )}
    </Page>
  );
}
