import type { PublishedStrategyDetail, ReturnWindows } from '@atoll/contract/strategies/runs';
import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, client } from '../../../../platform/client.ts';
import { LoadProblem } from '../../../../ui/empty-state.tsx';
import { LinkButton } from '../../../../ui/links.tsx';
import { Pager } from '../../../../ui/lists/pager.tsx';
import { toast, toastError } from '../../../../ui/toast.ts';
import { When } from '../../../../ui/when.tsx';
import { useSession } from '../../../session/queries.ts';
import { EnvironmentBadge } from '../../../trading/environment-badge.tsx';
import { figureWords, moneyWords, percentWords, runLabel, windowWords } from '../../model.ts';
import { publishedQuery, signalsQuery } from '../../queries.ts';
import { CompareChart } from '../charts.tsx';
import { CopyDialog } from '../runs/copy-dialog.tsx';
import shared from '../strategies.module.css';
import { ScrollTable, words } from '../table-parts.tsx';
import { Marks } from './marks.tsx';
import classes from './published.module.css';

type Window = keyof typeof windowWords;

/** Above the article: what it makes, backtest and live told apart, and how to follow or copy it. */
export function PublishedPanel({ publicationId }: { publicationId: string }) {
  const { data, error, refetch } = useQuery(publishedQuery(publicationId));
  if (error && !data) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={320} mb="lg" />;
  return (
    <section className={classes.panel} aria-label="Strategy">
      <Actions strategy={data} />
      <Marks strategy={data} />
      <Returns strategy={data} />
      <Assets strategy={data} />
      {data.live && <Signals strategy={data} />}
    </section>
  );
}

function Actions({ strategy }: { strategy: PublishedStrategyDetail }) {
  const { publication, is_following, follower_count, is_copyable } = strategy;
  const { is_guest } = useSession();
  const queryClient = useQueryClient();
  const [isCopying, setIsCopying] = useState(false);
  const { id } = publication;
  const follow = useMutation({
    mutationFn: () => (is_following ? client.strategies.unfollow({ id }) : client.strategies.follow({ id })),
    onSuccess: () => {
      toast(is_following ? 'You are no longer told of its orders.' : 'You are told of each order of its live run.');
      return queryClient.invalidateQueries({ queryKey: api.strategies.published.key() });
    },
    onError: (error) => toastError(error),
  });
  return (
    <div className={classes.actions}>
      {is_guest ? (
        <LinkButton to="/sign-up" variant="default">
          Create account to follow or copy it
        </LinkButton>
      ) : (
        <>
          {is_copyable && <Button onClick={() => setIsCopying(true)}>Copy to a portfolio</Button>}
          <Button variant="default" loading={follow.isPending} onClick={() => follow.mutate()}>
            {is_following ? 'Stop following' : 'Follow signals'}
          </Button>
        </>
      )}
      {follower_count > 0 && (
        <Text size="sm" c="dimmed">
          {follower_count === 1 ? '1 person follows it' : `${follower_count} people follow it`}
        </Text>
      )}
      {isCopying && <CopyDialog strategy={strategy} onClose={() => setIsCopying(false)} />}
    </div>
  );
}

function Returns({ strategy }: { strategy: PublishedStrategyDetail }) {
  const { live, live_returns, backtest_returns } = strategy;
  const [shown, setShown] = useState<'live' | 'backtest'>(
    live_returns?.['1d'].value.value == null ? 'backtest' : 'live',
  );
  const [window, setWindow] = useState<Window>('max');
  const returns: ReturnWindows = (shown === 'live' && live_returns) || backtest_returns;
  const chart = returns[window].chart;
  const lines = useMemo(
    () => [{ name: '', time: chart.map(([time]) => time), values: chart.map(([, value]) => value) }],
    [chart],
  );
  return (
    <div>
      <div className={classes.choices}>
        <SegmentedControl
          aria-label="Which returns"
          size="xs"
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
          data={[
            { value: 'backtest', label: 'Backtest' },
            { value: 'live', label: live ? runLabel(live) : 'Live', disabled: !live },
          ]}
        />
        {live ? (
          <Text size="sm" c="dimmed" component="div" className={classes.live}>
            <EnvironmentBadge environment={live.environment} /> {figureWords(live.value, percentWords)} since{' '}
            <When time={live.since} />
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            It is not running
          </Text>
        )}
      </div>
      <fieldset className={classes.windows} aria-label="Return by period">
        {(Object.keys(windowWords) as Window[]).map((name) => {
          const { value } = returns[name].value;
          return (
            <button key={name} type="button" aria-pressed={window === name} onClick={() => setWindow(name)}>
              <span>{windowWords[name]}</span>
              <strong data-direction={value ? (value < 0 ? 'down' : 'up') : undefined}>
                {figureWords(returns[name].value, percentWords)}
              </strong>
            </button>
          );
        })}
      </fieldset>
      {chart.length > 1 ? (
        <CompareChart lines={lines} />
      ) : (
        <Text size="sm" c="dimmed" className={classes.short}>
          Too short to show {windowWords[window].toLowerCase()}.
        </Text>
      )}
    </div>
  );
}

function Assets({ strategy: { assets, weights } }: { strategy: PublishedStrategyDetail }) {
  return (
    <ScrollTable
      scrollLabel="Assets"
      label="Assets"
      columns={['Asset', words('Category'), 'Price', ...(weights ? ['Weight now'] : [])]}
    >
      {assets.map(({ asset, category, price }) => (
        <tr key={asset}>
          <td>{asset}</td>
          <td className={shared.words}>{category}</td>
          <td>{price === null ? 'n/a' : moneyWords(price)}</td>
          {weights && <td>{weightOf(weights, asset)}</td>}
        </tr>
      ))}
      {weights
        ?.filter(({ category }) => category === 'Cash')
        .map(({ asset, share }) => (
          <tr key={asset}>
            <td>{asset}</td>
            <td className={shared.words}>Cash</td>
            <td />
            <td>{`${(share * 100).toFixed(1)} %`}</td>
          </tr>
        ))}
    </ScrollTable>
  );
}

const weightOf = (weights: NonNullable<PublishedStrategyDetail['weights']>, asset: string) =>
  `${((weights.find((each) => each.asset === asset)?.share ?? 0) * 100).toFixed(1)} %`;

function Signals({ strategy: { publication } }: { strategy: PublishedStrategyDetail }) {
  const { is_guest } = useSession();
  const [page, setPage] = useState(1);
  const { data } = useQuery({ ...signalsQuery(publication.id, page), enabled: !is_guest });
  if (!data) return null;
  return (
    <div>
      <Text fw={600} mb="xs">
        Signals
      </Text>
      {data.total === 0 ? (
        <Text size="sm" c="dimmed">
          Its live run has ordered nothing yet.
        </Text>
      ) : (
        <>
          <ScrollTable
            scrollLabel="List of signals"
            label="Signals"
            columns={['When', 'Order', 'Price', 'Of its capital', words('Why')]}
          >
            {data.entries.map(({ id, at, side, symbol, type, price, share, why }) => (
              <tr key={id}>
                <td>
                  <When time={at} />
                </td>
                <td>
                  {side} {symbol}, {type}
                </td>
                <td>{price === null ? 'n/a' : moneyWords(price)}</td>
                <td>{share === null ? 'n/a' : `${(share * 100).toFixed(1)} %`}</td>
                <td className={shared.words}>{why}</td>
              </tr>
            ))}
          </ScrollTable>
          <Pager page={page} pages={Math.ceil(data.total / data.page_size)} onChange={setPage} />
        </>
      )}
    </div>
  );
}
