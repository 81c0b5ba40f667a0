import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatSize } from '../../files/model.ts';
import classes from '../components/admin.module.css';
import { AdminTable, Bars } from '../components/list-parts.tsx';
import { durationWords } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { kernelHistoryQuery } from '../queries.ts';

const moment = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** What kernels took over time, and whose they were. */
export function KernelHistory() {
  const [hours, setHours] = useState(24);
  const list = useQuery(kernelHistoryQuery(hours));
  const { data } = list;
  const points = data?.points ?? [];
  const chart = (
    title: string,
    numberOf: (point: (typeof points)[number]) => number,
    words: (value: number) => string,
  ) => (
    <Bars
      title={title}
      sum={`up to ${words(Math.max(0, ...points.map(numberOf)))}`}
      bars={points.map((point) => ({
        key: point.at,
        value: numberOf(point),
        words: `${moment.format(new Date(point.at))}: ${words(numberOf(point))}`,
      }))}
    />
  );
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          label="Time"
          data={[
            { value: '1', label: 'Last hour' },
            { value: '24', label: 'Last 24 hours' },
            { value: '168', label: 'Last 7 days' },
          ]}
          value={String(hours)}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        />
      </div>
      <div className={classes.charts}>
        {chart('Memory', ({ memory_bytes }) => memory_bytes, formatSize)}
        {chart(
          'Processors',
          ({ cores }) => cores,
          (cores) => `${cores.toLocaleString('en')} cores`,
        )}
        {chart('Kernels', ({ kernels }) => kernels, String)}
      </div>
      <AdminTable
        label="Memory and processors by person"
        entries={data?.people}
        list={list}
        empty={<Text c="dimmed">No kernels ran in this time.</Text>}
        columns={[
          { label: 'Person', cell: ({ person }) => <PersonCell person={person} /> },
          { label: 'Most memory', type: 'number', cell: ({ memory_peak }) => formatSize(memory_peak) },
          { label: 'Processor time', type: 'number', cell: ({ cpu_seconds }) => durationWords(cpu_seconds * 1_000) },
        ]}
      />
    </>
  );
}
