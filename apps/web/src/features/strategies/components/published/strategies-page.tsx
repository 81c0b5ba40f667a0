import { personName } from '@atoll/contract/users/names';
import { EmptyState, LoadProblem } from '../../../../ui/empty-state.tsx';
import { Figure } from '../../../../ui/lists/figure.tsx';
import { Pager } from '../../../../ui/lists/pager.tsx';
import cards from '../../../../ui/styles/cards.module.css';
import '@mantine/core/styles/Checkbox.layer.css';
import type { PublishedStrategy } from '@atoll/contract/strategies/runs';
import { type StrategySort, strategySorts } from '@atoll/contract/strategies/values';
import { Checkbox, NativeSelect, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { LinkButton } from '../../../../ui/links.tsx';
import { Page } from '../../../../ui/page.tsx';
import { SearchField } from '../../../../ui/search-field.tsx';
import { When } from '../../../../ui/when.tsx';
import { EnvironmentBadge } from '../../../trading/environment-badge.tsx';
import { type CatalogueSearch, dayWords, figureWords, percentWords, sortWords, windowWords } from '../../model.ts';
import { cataloguePageSize, catalogueQuery } from '../../queries.ts';
import classes from './catalogue.module.css';
import { Marks } from './marks.tsx';
import { NewStrategy } from './new-strategy.tsx';

/** Published strategies: what each made in its backtest, what it makes live, and how far it can be trusted. */
export function StrategiesPage({ search }: { search: CatalogueSearch }) {
  const { data, error, refetch } = useQuery(catalogueQuery(search));
  const navigate = useNavigate({ from: '/strategies/' });
  const change = (next: CatalogueSearch) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  return (
    <Page
      title="Strategies"
      description="Trading strategies that people have published, with their backtests. No result here is a promise."
      width="wide"
      actions={
        <>
          <LinkButton to="/projects" search={{ type: ['strategy'] }} variant="default">
            Your strategies
          </LinkButton>
          <NewStrategy />
        </>
      }
    >
      <div className={classes.tools}>
        <SearchField
          label="Search strategies"
          value={search.search ?? ''}
          onSearch={(text) => change(text ? { search: text } : { search: '' })}
        />
        <SearchField
          label="Asset"
          placeholder="Any asset, as BTC"
          maxLength={20}
          value={search.asset ?? ''}
          onSearch={(asset) => change({ asset })}
        />
        <NativeSelect
          aria-label="Sort by"
          data={strategySorts.map((value) => ({ value, label: sortWords[value] }))}
          value={search.sort ?? 'published_at'}
          onChange={(event) => change({ sort: event.currentTarget.value as StrategySort })}
        />
        <Checkbox
          label="Verified bar by bar"
          checked={search.checked ?? false}
          onChange={(event) => change({ checked: event.currentTarget.checked })}
        />
        <Checkbox
          label="Running now"
          checked={search.live ?? false}
          onChange={(event) => change({ live: event.currentTarget.checked })}
        />
      </div>
      {error && !data && <LoadProblem error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={220} />}
      {data?.total === 0 && (
        <EmptyState>
          <Text fw={600}>
            {search.search || search.asset || search.checked || search.live
              ? 'Nothing found'
              : 'No strategy is published yet'}
          </Text>
          <Text c="dimmed">
            Create a project of the kind Strategy, run a backtest, and publish it: it is listed here for everyone.
          </Text>
        </EmptyState>
      )}
      {data && data.total > 0 && (
        <>
          <ul className={classes.cards} aria-label="Strategies">
            {data.entries.map((strategy) => (
              <Card key={strategy.publication.id} strategy={strategy} />
            ))}
          </ul>
          <Pager
            page={search.page ?? 1}
            pages={Math.ceil(data.total / cataloguePageSize)}
            onChange={(page) => change({ page })}
          />
        </>
      )}
    </Page>
  );
}

function Card({ strategy }: { strategy: PublishedStrategy }) {
  const { publication, returns, sharpe, sharpe_error, max_drawdown, symbols, timeframe, live } = strategy;
  const error = sharpe_error.value === null ? '' : ` ± ${sharpe_error.value.toFixed(2)}`;
  const ratio = (value: number) => value.toFixed(2).replace('-', '−') + error;
  return (
    <li className={cards.written}>
      <Link to="/strategies/$slug" params={{ slug: publication.slug }} className={classes.link}>
        {publication.title}
      </Link>
      <Text size="sm" c="dimmed">
        {personName(publication.owner)} · {symbols.slice(0, 3).join(', ')}
        {symbols.length > 3 && ` and ${symbols.length - 3} more`}, {timeframe}
      </Text>
      <Sparkline values={strategy.chart} />
      <Text size="xs" c="dimmed">
        Backtest, {dayWords(strategy.from)} – {dayWords(strategy.to)}
      </Text>
      <dl className={classes.figures}>
        {Object.entries(windowWords).map(([name, label]) => (
          <Return key={name} label={label} figure={returns[name as keyof typeof windowWords]} />
        ))}
        <Figure name="Sharpe">{figureWords(sharpe, ratio)}</Figure>
        <Figure name="Drawdown">{figureWords(max_drawdown, percentWords)}</Figure>
      </dl>
      <Marks strategy={strategy} />
      <Text size="sm" component="div" className={classes.live}>
        {live ? (
          <>
            <EnvironmentBadge environment={live.environment} /> {figureWords(live.value, percentWords)} since{' '}
            <When time={live.since} />
          </>
        ) : (
          'Not running'
        )}
      </Text>
    </li>
  );
}

function Return({ label, figure }: { label: string; figure: PublishedStrategy['returns']['max'] }) {
  const direction = figure.value === null ? undefined : figure.value < 0 ? 'down' : 'up';
  return (
    <Figure name={label} direction={direction}>
      {figureWords(figure, percentWords)}
    </Figure>
  );
}

const [width, height] = [280, 64];

function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const y = high > low ? height - ((value - low) / (high - low)) * height : height / 2;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg viewBox={`0 -2 ${width} ${height + 4}`} className={classes.line} aria-hidden preserveAspectRatio="none">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
