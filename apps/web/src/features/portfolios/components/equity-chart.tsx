import type { PortfolioDetail } from '@atoll/contract/portfolios/entity';
import { SegmentedControl } from '@mantine/core';
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { priceWords } from '../../trading/model.ts';
import classes from './portfolios.module.css';

const views = ['Growth', 'Value'] as const;

/** Growth takes deposits and withdrawals out; value is what was there. */
export function EquityChart({ days, asset }: { days: PortfolioDetail['equity']; asset: string }) {
  const [view, setView] = useState<(typeof views)[number]>('Growth');
  const holder = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ chart: IChartApi; series: ISeriesApi<'Area'> } | null>(null);
  const [isReady, setIsReady] = useState(false);

  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    let isGone = false;
    void import('lightweight-charts').then((library) => {
      if (isGone) return;
      const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
      const chart = library.createChart(element, {
        autoSize: true,
        layout: {
          background: { color: 'transparent' },
          textColor: colour('--ink-muted'),
          fontFamily: 'inherit',
          attributionLogo: false,
        },
        grid: { vertLines: { visible: false }, horzLines: { color: colour('--line') } },
        rightPriceScale: { borderColor: colour('--line') },
        timeScale: { borderColor: colour('--line') },
      });
      const series = chart.addSeries(library.AreaSeries, {
        ...{
          lineColor: colour('--primary'),
          topColor: colour('--primary-tint'),
          bottomColor: 'transparent',
          lineWidth: 2,
        },
      });
      drawn.current = { chart, series };
      setIsReady(true);
    });
    return () => {
      isGone = true;
      drawn.current?.chart.remove();
      drawn.current = null;
    };
  }, []);

  useEffect(() => {
    if (!isReady) return;
    drawn.current?.series.setData(
      days.map(({ day, equity, growth }) => ({ time: day, value: view === 'Value' ? equity : (growth - 1) * 100 })),
    );
    drawn.current?.chart.timeScale().fitContent();
  }, [days, view, isReady]);

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
