import type { RunComparison as Comparison } from '@atoll/contract/strategies/runs';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../../../platform/api-error.ts';
import { figureWords, minuteWords, percentWords } from '../../model.ts';
import { comparisonQuery } from '../../queries.ts';
import { CompareChart } from '../charts.tsx';
import { ScrollTable } from '../table-parts.tsx';

/** The run beside a backtest of the same code over the same bars. */
export function RunComparison({ strategyId, runId }: { strategyId: string; runId: string }) {
  const { data, error } = useQuery(comparisonQuery(strategyId, runId));
  if (error && !data)
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(error)}
      </Text>
    );
  if (!data)
    return (
      <div role="status" aria-label="Computing the backtest">
        <Skeleton height={200} />
      </div>
    );
  return <Compared comparison={data} />;
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { series, live, backtest, price_difference, same_orders, only_live, only_backtest, from, to } = comparison;
  const lines = useMemo(
    () => [
      { name: 'Live', time: series.time, values: series.live },
      { name: 'Backtest', time: series.time, values: series.backtest },
    ],
    [series],
  );
  return (
    <section aria-label="Live beside its backtest">
      {series.time.length > 1 && <CompareChart lines={lines} />}
      <ScrollTable
        scrollLabel="Figures of both"
        label="Live and backtest"
        columns={[`${minuteWords(from)} – ${minuteWords(to)}`, 'Live', 'Backtest']}
      >
        <tr>
          <td>Return</td>
          <td>{figureWords(live.total_return, percentWords)}</td>
          <td>{figureWords(backtest.total_return, percentWords)}</td>
        </tr>
        <tr>
          <td>Max drawdown</td>
          <td>{figureWords(live.max_drawdown, percentWords)}</td>
          <td>{figureWords(backtest.max_drawdown, percentWords)}</td>
        </tr>
        <tr>
          <td>Orders that were filled</td>
          <td>{live.orders}</td>
          <td>{backtest.orders}</td>
        </tr>
      </ScrollTable>
      <Text size="sm" c="dimmed" mt="xs">
        {same_orders} orders were made by both
        {price_difference.value !== null &&
          `, live at prices ${percentWords(Math.abs(price_difference.value), 3).replace(/^[+−]/, '')} ${price_difference.value > 0 ? 'worse' : 'better'} on average`}
        . {only_live} only live, {only_backtest} only in the backtest.
      </Text>
    </section>
  );
}
