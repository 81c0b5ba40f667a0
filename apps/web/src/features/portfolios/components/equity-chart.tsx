import type { PortfolioDetail } from '@atoll/contract/portfolios/entity';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { priceWords } from '../../trading/model.ts';
import { useChart } from '../../trading/use-chart.ts';
import classes from './portfolios.module.css';

const views = ['Growth', 'Value'] as const;

/** Growth takes deposits and withdrawals out; value is what was there. */
export function EquityChart({ days, asset }: { days: PortfolioDetail['equity']; asset: string }) {
  const [view, setView] = useState<(typeof views)[number]>('Growth');
  const { holder, isReady } = useChart(
    ({ library, chart, colour }) => {
      const series = chart.addSeries(library.AreaSeries, {
        lineColor: colour('--primary'),
        topColor: colour('--primary-tint'),
        bottomColor: 'transparent',
        lineWidth: 2,
      });
      series.setData(
        days.map(({ day, equity, growth }) => ({ time: day, value: view === 'Value' ? equity : (growth - 1) * 100 })),
      );
      // What is stored is of whole days.
      chart.timeScale().applyOptions({ timeVisible: false });
    },
    [days, view],
  );
  const last = days.at(-1);
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label="What is drawn"
        data={views.map((value) => ({ value, label: value === 'Growth' ? 'Growth, %' : `Value, ${asset}` }))}
        value={view}
        onChange={(value) => setView(value as (typeof views)[number])}
      />
      <div
        ref={holder}
        className={classes.chart}
        role="img"
        aria-label={`${days.length} days, the last at ${last ? priceWords(last.equity) : '–'} ${asset}`}
        data-ready={isReady || undefined}
      />
    </>
  );
}
