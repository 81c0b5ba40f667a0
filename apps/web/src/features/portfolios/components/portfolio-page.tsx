import type { PortfolioDetail, PortfolioHolding, PortfolioMetric } from '@atoll/contract/portfolios/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { TableHead } from '../../../ui/lists/table.tsx';
import { Page } from '../../../ui/page.tsx';
import figures from '../../../ui/styles/figures.module.css';
import { PortfolioStrategies } from '../../strategies/portfolio-strategies.tsx';
import { EnvironmentBadge } from '../../trading/environment-badge.tsx';
import { amountWords } from '../../trading/model.ts';
import { metricWords, moneyWords, percentWords, shareWords } from '../model.ts';
import { portfolioQuery } from '../queries.ts';
import { EntryList } from './entry-list.tsx';
import { EquityChart } from './equity-chart.tsx';
import classes from './portfolios.module.css';
import { PublishPortfolio } from './publish-portfolio.tsx';
import { RebalanceDialog } from './rebalance-dialog.tsx';
import { SharePortfolio } from './share-portfolio.tsx';
import { TargetsDialog } from './targets-dialog.tsx';

/** One portfolio: what it is worth, how it did, what is in it, and what would bring it to its targets. */
export function PortfolioPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(portfolioQuery(id));
  if (error && !data)
    return (
      <Page title="Portfolio" width="wide">
        <LoadProblem error={error} onRetry={refetch} />
      </Page>
    );
  if (!data)
    return (
      <Page title="Portfolio" width="wide">
        <Skeleton height={420} />
      </Page>
    );
  return <Portfolio portfolio={data} />;
}

function Portfolio({ portfolio }: { portfolio: PortfolioDetail }) {
  const [open, setOpen] = useState<'targets' | 'rebalance' | null>(null);
  const { id, name, total, trade_asset, environment, is_yours, owner, can_edit, connections, problems } = portfolio;
  const isTradable = is_yours && connections.length > 0 && Object.keys(portfolio.targets).length > 0;
  return (
    <Page
      title={name}
      description={
        <span className={classes.worth}>
          <strong>{moneyWords(total)}</strong> {trade_asset} <EnvironmentBadge environment={environment} />
          {!is_yours && <span>{` · Shared by ${owner.first_name || owner.user_name}`}</span>}
        </span>
      }
      width="wide"
      actions={
        <>
          {is_yours && <SharePortfolio id={id} />}
          {is_yours && <PublishPortfolio id={id} />}
          {can_edit && (
            <Button variant="default" onClick={() => setOpen('targets')}>
              Targets
            </Button>
          )}
          {isTradable && <Button onClick={() => setOpen('rebalance')}>Rebalance</Button>}
        </>
      }
    >
      {problems.map((problem) => (
        <Alert key={problem} color="warning" mb="md">
          {problem}
        </Alert>
      ))}
      <Returns portfolio={portfolio} />
      <section className={classes.panel} aria-label="Value over time">
        {portfolio.equity.length > 1 ? (
          <EquityChart days={portfolio.equity} asset={trade_asset} />
        ) : (
          <Text c="dimmed" size="sm">
            The first day is not over yet. The value of each day is stored at midnight UTC.
          </Text>
        )}
      </section>
      <Allocation holdings={portfolio.holdings} />
      <Holdings portfolio={portfolio} />
      <Connections portfolio={portfolio} />
      {is_yours && <PortfolioStrategies portfolioId={id} />}
      <EntryList portfolio={portfolio} />
      {open === 'targets' && <TargetsDialog portfolio={portfolio} onClose={() => setOpen(null)} />}
      {open === 'rebalance' && <RebalanceDialog portfolio={portfolio} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function Returns({ portfolio }: { portfolio: PortfolioDetail }) {
  const { returns, sharpe, sharpe_error, volatility, max_drawdown, trade_asset } = portfolio;
  const plain = (value: number) => value.toFixed(2);
  const error = sharpe_error.value === null ? '' : ` ± ${sharpe_error.value.toFixed(2)}`;
  return (
    <section className={classes.panel} aria-label="Returns">
      <dl className={figures.figures}>
        <Figure term="1 day" metric={returns['1d']} words={percentWords} hasDirection />
        <Figure term="7 days" metric={returns['7d']} words={percentWords} hasDirection />
        <Figure term="30 days" metric={returns['30d']} words={percentWords} hasDirection />
        <Figure term="All time" metric={returns.max} words={percentWords} hasDirection />
        <Figure term="Sharpe" metric={sharpe} words={(value) => plain(value) + error} />
        <Figure term="Volatility" metric={volatility} words={(value) => `${(value * 100).toFixed(1)} %`} />
        <Figure term="Largest fall" metric={max_drawdown} words={percentWords} />
        <Money term="Realised" value={portfolio.realised} asset={trade_asset} />
        <Money term="Unrealised" value={portfolio.unrealised} asset={trade_asset} />
        <Money term="Fees" value={portfolio.fees} asset={trade_asset} />
        <Money term="Deposits" value={portfolio.deposits} asset={trade_asset} />
        <Money term="Withdrawals" value={portfolio.withdrawals} asset={trade_asset} />
      </dl>
    </section>
  );
}

function Figure(props: {
  term: string;
  metric: PortfolioMetric;
  words(value: number): string;
  hasDirection?: boolean;
}) {
  const { term, metric, words, hasDirection } = props;
  const direction = (metric.value ?? 0) < 0 ? 'down' : 'up';
  return (
    <div>
      <dt>{term}</dt>
      <dd data-direction={hasDirection && metric.value !== null ? direction : undefined}>
        {metricWords(metric, words)}
      </dd>
      {metric.reason && <dd className={figures.reason}>{metric.reason}</dd>}
    </div>
  );
}

function Money({ term, value, asset }: { term: string; value: string; asset: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        {moneyWords(value)} {asset}
      </dd>
    </div>
  );
}

function Allocation({ holdings }: { holdings: PortfolioHolding[] }) {
  const owned = holdings.filter(({ share }) => (share ?? 0) > 0);
  if (owned.length === 0) return null;
  const words = owned.map(({ asset, share }) => `${asset} ${shareWords(share)}`).join(', ');
  return (
    <div className={classes.allocation} role="img" aria-label={`Allocation: ${words}`}>
      {owned.map(({ asset, share }, index) => (
        <span
          key={asset}
          style={{ flexGrow: share ?? 0 }}
          data-tone={index % 6}
          title={`${asset} ${shareWords(share)}`}
        >
          {(share ?? 0) > 0.08 ? asset : ''}
        </span>
      ))}
    </div>
  );
}

function Holdings({ portfolio: { holdings, exchange, trade_asset } }: { portfolio: PortfolioDetail }) {
  if (holdings.length === 0)
    return (
      <EmptyState>
        <Text c="dimmed">Nothing in it yet. Enter what you own below, or add a connection.</Text>
      </EmptyState>
    );
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <TableHead
          columns={[
            'Asset',
            'Amount',
            'Value',
            'Share',
            { name: 'Target', isWide: true },
            { name: 'Unrealised', isWide: true },
            { name: 'Realised', isWide: true },
          ]}
        />
        <tbody>
          {holdings.map(({ asset, amount, value, share, target, unrealised, realised }) => (
            <tr key={asset}>
              <td>
                {asset === trade_asset ? (
                  <strong>{asset}</strong>
                ) : (
                  <TextLink
                    to="/tokens/$id"
                    params={{ id: `${exchange}-${asset}` }}
                    c="inherit"
                    underline="hover"
                    fw={600}
                  >
                    {asset}
                  </TextLink>
                )}
              </td>
              <td>{amountWords(amount)}</td>
              <td>{moneyWords(value)}</td>
              <td>{shareWords(share)}</td>
              <td data-wide>{shareWords(target)}</td>
              <td data-wide data-direction={unrealised === null ? undefined : Number(unrealised) < 0 ? 'down' : 'up'}>
                {moneyWords(unrealised)}
              </td>
              <td data-wide>{moneyWords(realised)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Connections({ portfolio: { connections } }: { portfolio: PortfolioDetail }) {
  if (connections.length === 0) return null;
  return (
    <p className={classes.dim}>
      From {connections.map(({ type, label }) => label || exchangeInfo[type].name).join(', ')}, and what was entered by
      hand.
    </p>
  );
}
