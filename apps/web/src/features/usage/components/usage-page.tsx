import type { UsageSummary } from '@atoll/contract/kernels/entity';
import { timeInWords } from '@atoll/contract/quota/words';
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Figure } from '../../../ui/lists/figure.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import figures from '../../../ui/styles/figures.module.css';
import { RunningServers } from '../../kernels/running-servers.tsx';
import { quotaQuery } from '../../quota/queries.ts';
import { QuotaDetails } from '../../quota/quota-details.tsx';
import { useSession } from '../../session/queries.ts';
import { unitWords } from '../../wallet/model.ts';
import { defaultRange, type Range, ranges, type UsageSearch } from '../model.ts';
import { summaryQuery } from '../queries.ts';
import { BarChart } from './bar-chart.tsx';
import { BuyTime } from './buy-time.tsx';
import { ServerList } from './server-list.tsx';
import classes from './usage.module.css';

const tierWords = { l1: '1 core, 2 GB', l2: '2 cores, 8 GB', l3: '4 cores, 16 GB' };

/** What ran, how long, on what, and what it cost. */
export function UsagePage({ search }: { search: UsageSearch }) {
  const { is_guest, features } = useSession();
  const { data: quota } = useQuery(quotaQuery);
  return (
    <Page title="Usage" description="What your code used." width="wide">
      <div className={classes.head}>
        <section className={classes.card} aria-label="Quota">
          {quota ? (
            <QuotaDetails quota={quota} isOnUsagePage>
              <RunningServers />
            </QuotaDetails>
          ) : (
            <Skeleton height={160} />
          )}
        </section>
        {!is_guest && features?.wallet?.enabled !== false && (
          <section className={classes.card} aria-label="Execution time extension" id="extension">
            <BuyTime />
          </section>
        )}
      </div>
      <Summary search={search} />
      <ServerList search={search} />
    </Page>
  );
}

function Summary({ search }: { search: UsageSearch }) {
  const navigate = useNavigate();
  const summary = useQuery(summaryQuery(search));
  const choose = (value: string) => {
    const days = Number(value) as Range;
    void navigate({
      to: '/usage',
      search: { ...search, days: days === defaultRange ? undefined : days },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Panel
      title="Used time"
      aside={
        <SegmentedControl
          aria-label="Range"
          size="xs"
          data={ranges.map((days) => ({ value: String(days), label: `${days} days` }))}
          value={String(search.days ?? defaultRange)}
          onChange={choose}
        />
      }
    >
      {summary.error && !summary.data ? (
        <LoadProblem error={summary.error} onRetry={summary.refetch} />
      ) : summary.data ? (
        <Totals summary={summary.data} />
      ) : (
        <Skeleton height={260} />
      )}
    </Panel>
  );
}

function Totals({ summary: { total, days, tiers, projects } }: { summary: UsageSummary }) {
  return (
    <Stack aria-live="polite">
      <dl className={figures.totals}>
        <Figure name="Time">{timeInWords(total.seconds)}</Figure>
        <Figure name="Servers">{total.count.toLocaleString('en')}</Figure>
        <Figure name="Cost beyond the plan">{unitWords(total.cost)}</Figure>
      </dl>
      <BarChart days={days} />
      {total.count > 0 && (
        <div className={classes.shares}>
          <Shares
            title="By project"
            rows={projects.map(({ project, ...used }) => ({
              key: project?.id ?? '',
              name: project ? (
                <TextLink to="/projects/$projectId" params={{ projectId: project.id }}>
                  {project.name}
                </TextLink>
              ) : (
                'Deleted projects'
              ),
              ...used,
            }))}
            of={total.seconds}
          />
          <Shares
            title="By server size"
            rows={tiers.map(({ tier, ...used }) => ({ key: tier, name: tierWords[tier], ...used }))}
            of={total.seconds}
          />
        </div>
      )}
    </Stack>
  );
}

interface Share {
  key: string;
  name: React.ReactNode;
  seconds: number;
  cost: number;
}

function Shares({ title, rows, of }: { title: string; rows: Share[]; of: number }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {rows.map(({ key, name, seconds, cost }) => (
          <li key={key}>
            <span className={classes.name}>{name}</span>
            <span>
              {timeInWords(seconds)}
              {cost > 0 && `, ${unitWords(cost)}`}
            </span>
            <span className={classes.share} aria-hidden>
              <span style={{ width: `${of > 0 ? (seconds / of) * 100 : 0}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
