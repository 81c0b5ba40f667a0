import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, DayChart } from '../components/list-parts.tsx';
import { durationWords, type UsageSearch } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { listCsv, usagesQuery } from '../queries.ts';

const groups = [
  { value: 'person', label: 'By person' },
  { value: 'day', label: 'By day' },
  { value: 'tier', label: 'By size' },
];

export function UsagePage({ search }: { search: UsageSearch }) {
  const group = search.group ?? 'person';
  const list = useQuery(usagesQuery({ group }));
  const byDay = useQuery(usagesQuery({ group: 'day' }));
  const navigate = useNavigate();
  const days = [...(byDay.data?.entries ?? [])].reverse();
  return (
    <Page
      title="Usage"
      description="What kernels did in the last 30 days"
      width="wide"
      actions={<CsvButton href={listCsv('usages', { group })} />}
    >
      <div className={classes.charts}>
        <DayChart
          title="Execution minutes"
          days={days.map(({ key, used_ms }) => ({ day: key, value: Math.round(used_ms / 60_000) }))}
        />
        <DayChart title="Executions" days={days.map(({ key, executions }) => ({ day: key, value: executions }))} />
      </div>
      <div className={classes.tools}>
        <NativeSelect
          aria-label="Group"
          data={groups}
          value={group}
          onChange={(event) =>
            void navigate({
              to: '/admin/usage',
              search: { group: event.currentTarget.value as UsageSearch['group'] },
              replace: true,
            })
          }
        />
      </div>
      <AdminTable
        label="Usage"
        entries={list.data?.entries.map((entry) => ({ ...entry, id: entry.key }))}
        list={list}
        empty={<Text c="dimmed">Nothing ran in the last 30 days.</Text>}
        columns={[
          {
            label: group === 'person' ? 'Person' : group === 'day' ? 'Day' : 'Size',
            cell: ({ key, person }) => (group === 'person' ? <PersonCell person={person} /> : key),
          },
          { label: 'Kernels', type: 'number', cell: ({ kernels }) => kernels.toLocaleString('en') },
          { label: 'Executions', type: 'number', cell: ({ executions }) => executions.toLocaleString('en') },
          { label: 'Execution time', type: 'number', cell: ({ used_ms }) => durationWords(used_ms) },
        ]}
      />
      {list.data && (
        <Text size="sm" c="dimmed" mt={8}>
          Counted <When time={list.data.counted_at} />.
        </Text>
      )}
    </Page>
  );
}
