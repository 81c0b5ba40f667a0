import type { Referral } from '@atoll/contract/referrals/entity';
import { Button, Group, Modal, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminTable, CsvButton, Pages } from '../components/list-parts.tsx';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { listCsv, plansQuery, referralsQuery, usersOnPage } from '../queries.ts';

export function ReferralsPage() {
  const [page, setPage] = useState(1);
  const list = useQuery(referralsQuery(page));
  const [opened, setOpened] = useState<'new' | Referral | null>(null);
  const change = useAdminButton(
    (input: { id: string; enabled: boolean }) => client.admin.updateReferral(input),
    'Could not change the code',
  );
  const remove = useAdminButton(
    (id: string) => client.admin.deleteReferral({ id }),
    'Could not delete the code',
    'Code deleted',
  );
  return (
    <Page
      title="Referrals"
      description="Codes that bring units, a trial or a role to people who sign up with them"
      width="wide"
      actions={
        <>
          <CsvButton href={listCsv('referrals')} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('new')}>
            Create code
          </Button>
        </>
      }
    >
      <AdminTable
        label="Referral codes"
        entries={list.data?.entries}
        list={list}
        empty={<Text c="dimmed">No codes yet. Everyone also has a code of their own.</Text>}
        columns={[
          {
            label: 'Code',
            cell: ({ code, url }) => (
              <>
                {code} <CopyButton value={url} label={`Copy the link of ${code}`} />
              </>
            ),
            detail: ({ owner }) => owner && `of @${owner.user_name}`,
          },
          { label: 'Units', type: 'number', cell: ({ units }) => units.toLocaleString('en') },
          { label: 'Trial', cell: ({ trial_days }) => (trial_days === null ? '–' : `${trial_days} days`) },
          {
            label: 'People',
            type: 'number',
            cell: (code) => (
              <Button variant="subtle" size="compact-sm" onClick={() => setOpened(code)}>
                {code.users_matched.toLocaleString('en')} of {code.user_count.toLocaleString('en')}
              </Button>
            ),
          },
          { label: 'Ends', cell: ({ expires_at }) => (expires_at ? <When time={expires_at} /> : '–') },
          {
            label: 'Enabled',
            cell: ({ id, code, enabled }) => (
              <Switch
                aria-label={`${code} enabled`}
                checked={enabled}
                onChange={(event) => change.mutate({ id, enabled: event.currentTarget.checked })}
              />
            ),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: ({ id, code }) => (
              <Button
                variant="default"
                size="xs"
                onClick={() => window.confirm(`The code “${code}” stops working. Continue?`) && remove.mutate(id)}
              >
                Delete
              </Button>
            ),
          },
        ]}
      />
      <Pages label="Pages of codes" page={page} size={usersOnPage} total={list.data?.total} onChange={setPage} />
      {opened === 'new' && <CodeDialog onClose={() => setOpened(null)} />}
      {opened && opened !== 'new' && <PeopleDialog code={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function CodeDialog({ onClose }: { onClose(): void }) {
  const plans = useQuery(plansQuery());
  const create = useAdminAct(
    (input: Parameters<typeof client.admin.createReferral>[0]) => client.admin.createReferral(input),
    'Code created',
  );
  const form = useForm({
    initial: { code: '', units: '0', rate_plan_id: '', trial_days: '' },
    checks: { code: (value) => (/^[\w-]{3,40}$/.test(value.trim()) ? null : '3 to 40 letters, digits or hyphens') },
    submit: async ({ code, units, rate_plan_id, trial_days }) => {
      await create.mutateAsync({
        code,
        units: Number(units),
        rate_plan_id: rate_plan_id || null,
        trial_days: trial_days ? Number(trial_days) : null,
      });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Create code">
      <Form form={form}>
        <TextInput label="Code" required maxLength={40} data-autofocus {...form.text('code')} />
        <TextInput label="Units" inputMode="numeric" {...form.text('units')} />
        <Group grow align="flex-start">
          <NativeSelect
            label="Trial of"
            data={[
              { value: '', label: 'No trial' },
              ...(plans.data?.entries ?? []).map(({ id, title }) => ({ value: id, label: title })),
            ]}
            {...form.text('rate_plan_id')}
          />
          <TextInput label="Days" inputMode="numeric" {...form.text('trial_days')} />
        </Group>
        <FormActions form={form}>Create code</FormActions>
      </Form>
    </Modal>
  );
}

function PeopleDialog({ code, onClose }: { code: Referral; onClose(): void }) {
  const people = useQuery(api.admin.referralUsers.queryOptions({ input: { id: code.id, page_size: 100 } }));
  return (
    <Modal opened onClose={onClose} title={`Signed up with ${code.code}`} size="lg">
      <AdminTable
        label="People"
        entries={people.data?.entries.map((entry, index) => ({ ...entry, id: `${index}` }))}
        list={people}
        empty={<Text c="dimmed">No one has signed up with this code yet.</Text>}
        columns={[
          { label: 'Person', cell: ({ user }) => (user ? `@${user.user_name}` : 'Not public') },
          {
            label: 'State',
            cell: ({ state, reason }) => (reason ? `${state}: ${reason.replaceAll('_', ' ')}` : state),
          },
          { label: 'When', cell: ({ date }) => <When time={date} /> },
        ]}
      />
      <Group justify="flex-end" mt="md">
        <CsvButton href={listCsv('referral_users', { id: code.id })} />
      </Group>
    </Modal>
  );
}
