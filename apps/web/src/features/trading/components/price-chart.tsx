import '@mantine/core/styles/Checkbox.layer.css';
import { Anchor, Checkbox, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { IChartApi, IPriceLine, ISeriesApi, UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { ofPerson, readLocal, writeLocal } from '../../../platform/storage.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { useSession } from '../../session/queries.ts';
import { average, type Columns } from '../indicators.ts';
import { type ChartRange, chartRanges } from '../model.ts';
import { chartQuery } from '../queries.ts';
import classes from './token.module.css';

const kinds = ['Candles', 'Line'] as const;
const averageCounts = [20, 50] as const;

/** Candles or a line, volume, averages, and levels that a double click draws. */
export function PriceChart({ asset, last }: { asset: string; last: string | null }) {
  const [range, setRange] = useState<ChartRange>('1M');
  const [kind, setKind] = useState<(typeof kinds)[number]>('Candles');
  const [hasAverages, setHasAverages] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useQuery(chartQuery(asset, range));
  const [levels, setLevels] = useLevels(asset);
  return (
    <section className={`${classes.panel} ${classes.chart}`} aria-label="Price chart">
      <div className={classes.chartTools}>
        <SegmentedControl
          size="xs"
          aria-label="Time shown"
          data={Object.keys(chartRanges)}
          value={range}
          onChange={(value) => setRange(value as ChartRange)}
        />
        <SegmentedControl
          size="xs"
          aria-label="Kind of chart"
          data={[...kinds]}
          value={kind}
          onChange={(value) => setKind(value as (typeof kinds)[number])}
        />
        <Checkbox
          size="xs"
          label={`Averages of ${averageCounts.join(' and ')}`}
          checked={hasAverages}
          onChange={(event) => setHasAverages(event.currentTarget.checked)}
        />
        {levels.length > 0 && (
          <IconButton label="Delete all levels" onClick={() => setLevels([])}>
            <IconTrash size={16} />
          </IconButton>
        )}
      </div>
      {error && !data ? (
        <LoadProblem error={error} onRetry={refetch} />
      ) : data ? (
        <Canvas
          key={`${kind} ${hasAverages}`}
          data={data}
          last={last}
          range={range}
          isLine={kind === 'Line'}
          hasAverages={hasAverages}
          levels={levels}
          isLoading={isPlaceholderData}
          onLevel={(price) => setLevels([...levels, price])}
        />
      ) : (
        <Skeleton height={380} />
      )}
      <Text size="xs" c="dimmed">
        Double-click to draw a level. Charts by{' '}
        <Anchor href="https://www.tradingview.com/" target="_blank" rel="noreferrer" inherit>
          TradingView
        </Anchor>
        .
      </Text>
    </section>
  );
}

/** Kept in this browser, by asset. */
function useLevels(asset: string): [number[], (levels: number[]) => void] {
  const key = ofPerson(useSession().id, `levels:${asset}`);
  const [levels, setLevels] = useState<number[]>(() => {
    try {
      const kept: unknown = JSON.parse(readLocal(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((each) => typeof each === 'number').slice(0, 50) : [];
    } catch {
      return [];
    }
  });
  return [
    levels,
    (next) => {
      setLevels(next);
      writeLocal(key, JSON.stringify(next));
    },
  ];
}

interface CanvasProps {
  data: Columns;
  last: string | null;
  range: ChartRange;
  isLine: boolean;
  hasAverages: boolean;
  levels: number[];
  isLoading: boolean;
  onLevel(price: number): void;
}

interface Drawn {
  chart: IChartApi;
  price: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>;
  volume: ISeriesApi<'Histogram'>;
  averages: ISeriesApi<'Line'>[];
  lines: IPriceLine[];
}

const colour = (name: string, element: HTMLElement) => getComputedStyle(element).getPropertyValue(name).trim();

function Canvas({ data, last, range, isLine, hasAverages, levels, isLoading, onLevel }: CanvasProps) {
  const holder = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const latest = useRef(onLevel);
  latest.current = onLevel;
  const [isReady, setIsReady] = useState(false);

  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    let isGone = false;
    let stop = () => {};
    void import('lightweight-charts').then((library) => {
      if (isGone) return;
      const [up, down, ink, line] = ['--success', '--danger', '--ink-muted', '--line'].map((name) =>
        colour(name, element),
      );
      const chart = library.createChart(element, {
        autoSize: true,
        layout: { background: { color: 'transparent' }, textColor: ink, fontFamily: 'inherit', attributionLogo: false },
        grid: { vertLines: { color: line }, horzLines: { color: line } },
        rightPriceScale: { borderColor: line },
        timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
      });
      const price = isLine
        ? chart.addSeries(library.LineSeries, { color: colour('--primary', element), lineWidth: 2 })
        : chart.addSeries(library.CandlestickSeries, {
            ...{ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderVisible: false },
          });
      const volume = chart.addSeries(library.HistogramSeries, {
        ...{
          priceScaleId: 'volume',
          priceFormat: { type: 'volume' },
          color: line,
          lastValueVisible: false,
          priceLineVisible: false,
        },
      });
      chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.85, bottom: 0 } });
      const averages = hasAverages
        ? averageCounts.map((count, index) =>
            chart.addSeries(library.LineSeries, {
              color: colour(index === 0 ? '--warning' : '--primary', element),
              ...{ lineWidth: 1, lastValueVisible: false, priceLineVisible: false, title: `Average ${count}` },
            }),
          )
        : [];
      chart.subscribeDblClick(({ point }) => {
        const at = point && price.coordinateToPrice(point.y);
        if (at) latest.current(Number(at));
      });
      drawn.current = { chart, price, volume, averages, lines: [] };
      stop = () => chart.remove();
      setIsReady(true);
    });
    return () => {
      isGone = true;
      drawn.current = null;
      stop();
    };
  }, [isLine, hasAverages]);

  useEffect(() => {
    const now = drawn.current;
    if (!isReady || !now) return;
    const time = data.time as UTCTimestamp[];
    if (isLine) now.price.setData(time.map((at, index) => ({ time: at, value: data.close[index] ?? 0 })));
    else
      now.price.setData(
        time.map((at, index) => ({
          ...{ time: at, open: data.open[index] ?? 0, high: data.high[index] ?? 0 },
          ...{ low: data.low[index] ?? 0, close: data.close[index] ?? 0 },
        })),
      );
    now.volume.setData(time.map((at, index) => ({ time: at, value: data.volume[index] ?? 0 })));
    now.averages.forEach((series, index) => {
      const values = average(data.close, averageCounts[index] ?? 20);
      series.setData(
        time.flatMap((at, each) => (values[each] === null ? [] : [{ time: at, value: values[each] ?? 0 }])),
      );
    });
  }, [data, isReady, isLine]);

  // The price now belongs to the last candle, which is not over.
  useEffect(() => {
    const [now, close, index] = [drawn.current, Number(last), data.time.length - 1];
    const time = data.time[index] as UTCTimestamp | undefined;
    if (!isReady || !now || last === null || time === undefined) return;
    const [high, low] = [Math.max(data.high[index] ?? 0, close), Math.min(data.low[index] ?? close, close)];
    if (isLine) (now.price as ISeriesApi<'Line'>).update({ time, value: close });
    else (now.price as ISeriesApi<'Candlestick'>).update({ time, open: data.open[index] ?? close, high, low, close });
  }, [last, data, isReady, isLine]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another range is looked at from its start.
  useEffect(() => {
    if (isReady && !isLoading) drawn.current?.chart.timeScale().fitContent();
  }, [range, isReady, isLoading]);

  useEffect(() => {
    const now = drawn.current;
    if (!isReady || !now) return;
    for (const line of now.lines) now.price.removePriceLine(line);
    now.lines = levels.map((price) =>
      now.price.createPriceLine({
        price,
        color: colour('--warning', holder.current as HTMLElement),
        lineWidth: 1,
        lineStyle: 2,
        axisLabelVisible: true,
        title: '',
      }),
    );
  }, [levels, isReady]);

  const lastClose = data.close.at(-1);
  return (
    <div
      ref={holder}
      className={classes.canvas}
      role="img"
      aria-label={`${data.time.length} candles, the last at ${lastClose ?? 'no price'}`}
      data-ready={isReady || undefined}
    />
  );
}
