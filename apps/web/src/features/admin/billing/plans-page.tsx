import type { RatePlan } from '@atoll/contract/subscriptions/entity';
import { Badge, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { FormActions } from '../../../ui/form-parts.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton } from '../components/list-parts.tsx';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { listCsv, plansQuery } from '../queries.ts';
import { PlanDialog } from './plan-dialog.tsx';

const units = (value: number | null) => (value === null ? 'By agreement' : value.toLocaleString('en'));
const hours = (seconds: number | null) => (seconds === null ? 'No limit' : `${seconds / 3_600} h`);

export function PlansPage() {
  const list = useQuery(plansQuery());
  const [edited, setEdited] = useState<RatePlan | 'new' | null>(null);
  const withdraw = useAdminButton((id: string) => client.admin.deleteRatePlan({ id }), 'Could not withdraw the plan');
  const offer = useAdminButton(
    (id: string) => client.admin.updateRatePlan({ id, is_withdrawn: false }),
    'Could not offer the plan',
  );
  return (
    <Page
      title="Plans"
      description="What people can subscribe to. What a plan includes changes at once, its price from the next billing on."
      width="wide"
      actions={
        <>
          <CsvButton href={listCsv('rate_plans')} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            Create plan
          </Button>
        </>
      }
    >
      <Stack>
        <AdminTable
          label="Plans"
          entries={list.data?.entries}
          list={list}
          empty={<Text c="dimmed">No plans.</Text>}
          columns={[
            {
              label: 'Plan',
              cell: ({ title, is_withdrawn, highlighted }) => (
                <>
                  {title} {is_withdrawn && <Badge color="gray">Withdrawn</Badge>}
                  {highlighted && <Badge>Highlighted</Badge>}
                </>
              ),
            },
            { label: 'Month', type: 'number', cell: ({ price }) => units(price) },
            { label: 'Year', type: 'number', cell: ({ annual_price }) => units(annual_price) },
            { label: 'Execution', type: 'number', cell: ({ max_execution_time }) => hours(max_execution_time) },
            { label: 'Longest run', type: 'number', cell: ({ longest_run }) => hours(longest_run) },
            {
              label: 'Projects',
              type: 'number',
              cell: ({ max_number_of_projects }) => max_number_of_projects?.toLocaleString('en') ?? 'No limit',
            },
            { label: 'Size', cell: ({ tier }) => tier.toUpperCase() },
            {
              label: 'Actions',
              type: 'actions',
              cell: (plan) => (
                <Button.Group>
                  <Button variant="default" size="xs" onClick={() => setEdited(plan)}>
                    Edit
                  </Button>
                  {plan.is_withdrawn ? (
                    <Button variant="default" size="xs" onClick={() => offer.mutate(plan.id)}>
                      Offer
                    </Button>
                  ) : (
                    <Button
                      variant="default"
                      size="xs"
                      disabled={plan.price === 0}
                      onClick={() =>
                        window.confirm(`“${plan.title}” is no longer offered. Those who have it keep it. Continue?`) &&
                        withdraw.mutate(plan.id)
                      }
                    >
                      Withdraw
                    </Button>
                  )}
                </Button.Group>
              ),
            },
          ]}
        />
        {list.data && <Settings key={JSON.stringify(list.data.settings)} settings={list.data.settings} />}
      </Stack>
      {edited && <PlanDialog plan={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

type Settings = Required<Parameters<typeof client.admin.updateBillingSettings>[0]>;

function Settings({ settings }: { settings: Settings }) {
  const save = useAdminAct((input: Settings) => client.admin.updateBillingSettings(input), 'Saved');
  const form = useForm({
    initial: {
      extension_hour_price: String(settings.extension_hour_price),
      welcome_units: String(settings.welcome_units),
      invited_units: String(settings.invited_units),
      inviter_units: String(settings.inviter_units),
    },
    submit: (values) =>
      save.mutateAsync(
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as Settings,
      ),
  });
  return (
    <Panel title="Units" description="1 unit is 1 US cent.">
      <form onSubmit={form.send} noValidate>
        <div className={classes.tools}>
          <TextInput label="Hour of execution time" inputMode="numeric" {...form.text('extension_hour_price')} />
          <TextInput label="Welcome bonus" inputMode="numeric" {...form.text('welcome_units')} />
          <TextInput label="For invited people" inputMode="numeric" {...form.text('invited_units')} />
          <TextInput label="For those who invite" inputMode="numeric" {...form.text('inviter_units')} />
        </div>
        <FormActions form={form} justify="flex-start" disabled={!form.isDirty}>
          Save
        </FormActions>
      </form>
    </Panel>
  );
}
