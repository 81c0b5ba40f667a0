import { NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, DayChart, More } from '../components/list-parts.tsx';
import { useTrackingLive } from '../live.ts';
import { lastDays, type TrackingSearch } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { listCsv, trackingQuery } from '../queries.ts';
import { Funnel } from './funnel.tsx';

export function TrackingPage({ search }: { search: TrackingSearch }) {
  const list = useInfiniteQuery(trackingQuery(search));
  const navigate = useNavigate();
  const [first] = list.data?.pages ?? [];
  const names = first?.names ?? [];
  useTrackingLive();
  const change = (update: TrackingSearch) =>
    void navigate({ to: '/admin/tracking', search: { ...search, ...update }, replace: true });
  return (
    <Page
      title="Tracking"
      description="What people did in the interface, last 30 days"
      width="wide"
      actions={<CsvButton href={listCsv('tracking', { name: search.name, user_id: search.user_id })} />}
    >
      <div className={classes.charts}>
        <DayChart
          title="Events"
          days={lastDays((first?.days ?? []).map(({ day, events }) => ({ day, value: events })))}
        />
        <DayChart
          title="People"
          days={lastDays((first?.days ?? []).map(({ day, people }) => ({ day, value: people })))}
          isPeople
        />
      </div>
      <div className={classes.spaced}>
        <Funnel search={search} names={names.map(({ name }) => name)} onChange={change} />
      </div>
      <div className={classes.tools}>
        <NativeSelect
          aria-label="Event"
          data={[
            { value: '', label: 'All events' },
            ...names.map(({ name, events }) => ({
              value: name,
              label: `${name} (${events.toLocaleString('en')})`,
            })),
          ]}
          value={search.name ?? ''}
          onChange={(event) => change({ name: event.currentTarget.value || undefined })}
        />
        {search.user_id && (
          <LinkButton to="/admin/tracking" variant="default">
            Show everyone’s
          </LinkButton>
        )}
      </div>
      <AdminTable
        label="Events"
        entries={list.data?.pages.flatMap(({ entries }) => entries)}
        list={list}
        empty={<Text c="dimmed">No events. They are stored only for people who agreed to it.</Text>}
        columns={[
          { label: 'When', cell: ({ happened_at }) => <When time={happened_at} /> },
          { label: 'Person', cell: ({ person }) => <PersonCell person={person} /> },
          { label: 'Event', cell: ({ name }) => name, detail: ({ properties }) => JSON.stringify(properties) },
        ]}
      />
      <More list={list} />
    </Page>
  );
}
