import { Badge, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../platform/client.ts';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { formatSize } from '../../files/model.ts';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, Pages } from '../components/list-parts.tsx';
import { durationWords } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { kernelsQuery, listCsv } from '../queries.ts';
import { KernelHistory } from './kernel-history.tsx';

export function KernelsPage() {
  const [page, setPage] = useState(1);
  const list = useQuery(kernelsQuery(page));
  const stats = useQuery(api.kernels.jupyterStats.queryOptions({ input: {}, refetchInterval: 10_000 }));
  const count = (value: number | undefined) => value?.toLocaleString('en') ?? '…';
  const numbers: [string, string][] = [
    ['Running', count(list.data?.total)],
    ['Busy', count(list.data?.busy)],
    ['Starting', count(list.data?.starting)],
    ['Queued cells', count(list.data?.queued_cells)],
    ['Memory', stats.data ? formatSize(stats.data.memory_used) : '…'],
    ['Executions today', count(stats.data?.executions_today)],
  ];
  return (
    <Page
      title="Kernels"
      description="What runs now, on all servers"
      width="wide"
      actions={<CsvButton href={listCsv('kernels')} />}
    >
      <dl className={classes.numbers}>
        {numbers.map(([label, value]) => (
          <div key={label} className={classes.number}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <AdminTable
        label="Running kernels"
        entries={list.data?.entries}
        list={list}
        empty={<Text c="dimmed">No kernel runs now.</Text>}
        columns={[
          { label: 'Person', cell: ({ person }) => <PersonCell person={person} /> },
          {
            label: 'Kernel',
            cell: ({ kernel }) => kernel,
            detail: ({ project, purpose }) => `${project?.name ?? 'No project'} · ${purpose}`,
          },
          {
            label: 'State',
            cell: ({ state }) => <Badge color={state === 'busy' ? 'primary' : 'gray'}>{state}</Badge>,
          },
          { label: 'Size', cell: ({ tier }) => tier.toUpperCase() },
          { label: 'Used', type: 'number', cell: ({ used_ms }) => durationWords(used_ms) },
          { label: 'Executions', type: 'number', cell: ({ executions }) => executions.toLocaleString('en') },
          { label: 'Started', cell: ({ started_at }) => <When time={started_at} /> },
        ]}
      />
      <Pages label="Pages of kernels" page={page} size={20} total={list.data?.total} onChange={setPage} />
      <Title order={2} size="h4" mt={32} mb={12}>
        Over time
      </Title>
      <KernelHistory />
    </Page>
  );
}
