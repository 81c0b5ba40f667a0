import type { Overview } from '@atoll/contract/admin/entity';
import { Badge, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { formatSize } from '../../files/model.ts';
import classes from '../components/admin.module.css';
import { DayChart } from '../components/list-parts.tsx';
import { MailLimits } from '../operations/mail-limits.tsx';
import { UndeliveredMail } from '../operations/undelivered-mail.tsx';
import { overviewQuery } from '../queries.ts';

export function OverviewPage() {
  const { data, error, refetch } = useQuery(overviewQuery());
  return (
    <Page title="Overview" description="People, work and health of this installation" width="wide">
      {data ? (
        <Numbers overview={data} />
      ) : error ? (
        <LoadProblem isLarge error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={240} />
      )}
    </Page>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const { counts, days, jobs, mail, health, version } = overview;
  const numbers: [label: string, value: string][] = [
    ['People', counts.people.toLocaleString('en')],
    ['Guests', counts.guests.toLocaleString('en')],
    ['Suspended', counts.suspended.toLocaleString('en')],
    ['Projects', counts.projects.toLocaleString('en')],
    ['Publications', counts.publications.toLocaleString('en')],
    ['Teams', counts.teams.toLocaleString('en')],
    ['Running kernels', counts.kernels.toLocaleString('en')],
    ['Files', formatSize(counts.files_bytes)],
    ['Units in wallets', counts.units.toLocaleString('en')],
  ];
  return (
    <>
      <dl className={classes.numbers}>
        {numbers.map(([label, value]) => (
          <div key={label} className={classes.number}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.charts}>
        <DayChart title="Sign-ups, 30 days" days={days.sign_ups} />
        <DayChart title="Active people, 30 days" days={days.active} isPeople />
        <DayChart title="Runs, 30 days" days={days.runs} />
        <DayChart title="Failed runs, 30 days" days={days.failed_runs} />
      </div>
      <Stack>
        <Panel title="Health">
          <ul className={classes.health}>
            {health.map(({ name, is_well, detail }) => (
              <li key={name}>
                <span>{name}</span>
                <Badge color={is_well ? 'success' : 'danger'}>{is_well ? 'OK' : 'Attention'}</Badge>
                <Text size="sm" c="dimmed">
                  {detail}
                </Text>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Background work">
          <Text size="sm">
            {jobs.running} running, {jobs.queued} queued,{' '}
            <TextLink to="/admin/jobs" search={{ state: 'failed' }}>
              {jobs.failed} failed
            </TextLink>{' '}
            in the last day. {mail.failed} deliveries failed in the last day.
          </Text>
          <Text size="sm" c="dimmed" mt={8}>
            Numbers counted <When time={overview.counted_at} />. Version {version.tag ?? version.commit.slice(0, 7)},
            started <When time={overview.started_at} />.
          </Text>
        </Panel>
        <UndeliveredMail />
        <MailLimits />
      </Stack>
    </>
  );
}
