import type { MailLimits as Limits, MailToday } from '@atoll/contract/admin/entity';
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { FormActions } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import classes from '../components/admin.module.css';
import { AdminTable } from '../components/list-parts.tsx';
import { useAdminAct } from '../mutations.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { mailLimitsQuery } from '../queries.ts';

/** What accounts send to people outside of their projects: how much they may, and how much it was today. */
export function MailLimits() {
  const { data } = useQuery(mailLimitsQuery());
  if (!data) return null;
  return (
    <Panel title="Mail to others" description="Invitations and reports to people outside of a project, in a day (UTC)">
      <Text size="sm" mb="sm">
        Today {data.sent.toLocaleString('en')} of {data.limits.per_installation.toLocaleString('en')} sent, at most{' '}
        {data.busiest_recipient.toLocaleString('en')} to one address.
      </Text>
      <Settings key={JSON.stringify(data.limits)} limits={data.limits} />
      {data.accounts.length > 0 && (
        <AdminTable<MailToday['accounts'][number] & { id?: string }>
          label="Accounts that sent most today"
          entries={data.accounts}
          empty=""
          columns={[
            { label: 'Account', cell: ({ person }) => <PersonCell person={person} /> },
            { label: 'Sent today', type: 'number', cell: ({ sent }) => sent.toLocaleString('en') },
          ]}
        />
      )}
    </Panel>
  );
}

const isNumber = (value: string) => (/^\d{1,8}$/.test(value.trim()) ? null : 'Enter a whole number');

function Settings({ limits }: { limits: Limits }) {
  const save = useAdminAct((input: Limits) => client.admin.updateMailLimits(input), 'Saved');
  const form = useForm({
    initial: {
      per_account: String(limits.per_account),
      per_recipient: String(limits.per_recipient),
      per_installation: String(limits.per_installation),
    },
    checks: { per_account: isNumber, per_recipient: isNumber, per_installation: isNumber },
    submit: ({ per_account, per_recipient, per_installation }) =>
      save.mutateAsync({
        per_account: Number(per_account),
        per_recipient: Number(per_recipient),
        per_installation: Number(per_installation),
      }),
  });
  return (
    <form onSubmit={form.send} noValidate>
      <div className={classes.tools}>
        <TextInput label="From one account" inputMode="numeric" {...form.text('per_account')} />
        <TextInput label="To one address" inputMode="numeric" {...form.text('per_recipient')} />
        <TextInput label="From this installation" inputMode="numeric" {...form.text('per_installation')} />
      </div>
      <FormActions form={form} justify="flex-start" disabled={!form.isDirty}>
        Save
      </FormActions>
    </form>
  );
}
