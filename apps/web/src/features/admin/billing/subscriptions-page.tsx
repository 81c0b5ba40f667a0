import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, Pages, SearchTool } from '../components/list-parts.tsx';
import type { SubscriptionsSearch } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { listCsv, plansQuery, subscriptionsQuery, usersOnPage } from '../queries.ts';

export function SubscriptionsPage({ search }: { search: SubscriptionsSearch }) {
  const list = useQuery(subscriptionsQuery(search));
  const plans = useQuery(plansQuery());
  const navigate = useNavigate();
  const change = (update: SubscriptionsSearch) =>
    void navigate({ to: '/admin/subscriptions', search: { ...search, page: undefined, ...update }, replace: true });
  return (
    <Page
      title="Subscriptions"
      description="Plans that people pay for, next billing first"
      width="wide"
      actions={<CsvButton href={listCsv('subscriptions', search)} />}
    >
      <div className={classes.tools}>
        <SearchTool
          label="Search subscriptions"
          placeholder="Name or user name"
          value={search.search}
          onSearch={(value) => change({ search: value || undefined })}
        />
        <NativeSelect
          aria-label="Plan"
          data={[
            { value: '', label: 'All plans' },
            ...(plans.data?.entries ?? []).map(({ name, title }) => ({ value: name, label: title })),
          ]}
          value={search.plan ?? ''}
          onChange={(event) => change({ plan: event.currentTarget.value || undefined })}
        />
      </div>
      <AdminTable
        label="Subscriptions"
        entries={list.data?.entries}
        list={list}
        empty={<Text c="dimmed">No subscriptions match.</Text>}
        columns={[
          { label: 'Person', cell: ({ person }) => <PersonCell person={person} /> },
          { label: 'Plan', cell: ({ plan, is_yearly }) => `${plan}, ${is_yearly ? 'yearly' : 'monthly'}` },
          {
            label: 'Then',
            cell: ({ next_plan, canceled_at }) => (canceled_at ? 'Canceled' : (next_plan ?? 'Renewed')),
          },
          {
            label: 'Next billing',
            cell: ({ next_billing_at }) => (next_billing_at ? <When time={next_billing_at} /> : '–'),
            detail: ({ is_in_grace }) => is_in_grace && 'Waits for units',
          },
        ]}
      />
      <Pages
        label="Pages of subscriptions"
        page={search.page ?? 1}
        size={usersOnPage}
        total={list.data?.total}
        isMore={list.data?.is_more}
        onChange={(page) => change({ page })}
      />
    </Page>
  );
}
