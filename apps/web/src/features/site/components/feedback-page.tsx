import { Alert, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { atMost, email, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { useSession } from '../../session/queries.ts';
import { type FeedbackKind, feedbackWords } from '../model.ts';

/** Everything people may want to tell those who run this. */
export function FeedbackPage({ about }: { about?: string }) {
  const session = useSession();
  return (
    <Page title="Feedback and help" width="text" description="Messages go to the team that runs this workspace.">
      <WritePanel about={about} />
      {!session.is_guest && <FriendPanel />}
    </Page>
  );
}

function WritePanel({ about }: { about?: string }) {
  const session = useSession();
  const [kind, setKind] = useState<FeedbackKind>('feedback');
  const [isSent, setSent] = useState(false);
  const form = useForm({
    initial: { message: '', allow_contact: !session.is_guest },
    checks: { message: (value) => required('A message')(value) ?? atMost(10_000)(value) },
    submit: async ({ message, allow_contact }) => {
      if (kind === 'feedback') await client.site.feedback({ message, allow_contact, page: about });
      else if (kind === 'issue_report') await client.site.issueReport({ message, page: about });
      else await client.site.dataRequest({ message });
      form.setValues({ message: '', allow_contact });
      setSent(true);
    },
  });
  const offered = (Object.keys(feedbackWords) as FeedbackKind[]).filter(
    (each) => each !== 'data_request' || !session.is_guest,
  );
  return (
    <Panel title="Write to us">
      <Form form={form}>
        <SegmentedControl
          aria-label="Topic"
          value={kind}
          onChange={(next) => {
            setKind(next as FeedbackKind);
            setSent(false);
          }}
          data={offered.map((each) => ({ value: each, label: feedbackWords[each].label }))}
        />
        <Textarea
          label={feedbackWords[kind].question}
          description={feedbackWords[kind].text}
          rows={6}
          required
          {...form.text('message')}
        />
        {kind === 'feedback' && !session.is_guest && (
          <Switch label="You may contact me" {...form.flag('allow_contact')} />
        )}
        {isSent && (
          <Alert color="success" role="status">
            Message sent.
          </Alert>
        )}
        <FormActions form={form} justify="flex-start">
          Send
        </FormActions>
      </Form>
    </Panel>
  );
}

function FriendPanel() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '', invitation_message: '' },
    checks: { email, invitation_message: atMost(1_000) },
    submit: async (values) => {
      await client.users.inviteFriend({ ...values, email: values.email.trim() });
      setSentTo(values.email.trim());
      form.setValues({ email: '', invitation_message: '' });
    },
  });
  return (
    <Panel title="Invite a friend" description="They get an e-mail with your message and a link to create an account.">
      <Form form={form} gap={12}>
        <TextInput type="email" label="E-mail address" placeholder="name@example.com" {...form.text('email')} />
        <Textarea label="Message" autosize minRows={2} maxRows={6} {...form.text('invitation_message')} />
        {sentTo && (
          <Alert color="success" role="status">
            {sentTo} is invited.
          </Alert>
        )}
        <FormActions form={form} justify="flex-start" variant="default">
          Send invitation
        </FormActions>
      </Form>
    </Panel>
  );
}
