import type { BacktestResult, StrategyTrade } from '@atoll/contract/strategies/entity';
import type { SeriesMarker, UTCTimestamp } from 'lightweight-charts';
import { useChart } from '../../trading/use-chart.ts';
import { moneyWords } from '../model.ts';
import classes from './strategies.module.css';

export const seconds = (time: number) => Math.floor(time / 1000) as UTCTimestamp;

/** Points in time order, each time once: a chart takes no others. */
export function points(time: number[], values: number[]) {
  const result: { time: UTCTimestamp; value: number }[] = [];
  for (const [index, at] of time.entries()) {
    const second = seconds(at);
    const point = { time: second, value: values[index] ?? 0 };
    if (result.at(-1)?.time === second) result[result.length - 1] = point;
    else result.push(point);
  }
  return result;
}

export function EquityChart({ series, mark }: { series: BacktestResult['series']; mark: number | null }) {
  const { holder, isReady } = useChart(
    ({ library, chart, colour }) => {
      const benchmark = chart.addSeries(library.LineSeries, {
        color: colour('--ink-muted'),
        lineWidth: 1,
        priceLineVisible: false,
        title: 'Buy and hold',
      });
      benchmark.setData(points(series.time, series.benchmark));
      const equity = chart.addSeries(library.LineSeries, {
        color: colour('--primary'),
        lineWidth: 2,
        title: 'Strategy',
      });
      equity.setData(points(series.time, series.equity));
      if (mark === null) return;
      const markers: SeriesMarker<UTCTimestamp>[] = [
        {
          time: seconds(mark),
          position: 'aboveBar',
          shape: 'arrowDown',
          color: colour('--ink'),
          text: 'Out of sample',
        },
      ];
      library.createSeriesMarkers(equity, markers);
    },
    [series, mark],
  );
  const last = series.equity.at(-1);
  return (
    <div
      ref={holder}
      className={classes.chart}
      role="img"
      aria-label={`Equity over time, at the end ${last === undefined ? 'nothing' : moneyWords(last)}`}
      data-ready={isReady || undefined}
    />
  );
}

/** The library's own takes the number of digits for a scale, and writes 6.47 as 6.1. */
const percentFormat = {
  type: 'custom' as const,
  minMove: 0.01,
  formatter: (value: number) => `${value.toFixed(2).replace('-', '−')} %`,
};

export function DrawdownChart({ series }: { series: BacktestResult['series'] }) {
  const { holder } = useChart(
    ({ library, chart, colour }) => {
      const area = chart.addSeries(library.AreaSeries, {
        lineColor: colour('--danger-ink'),
        topColor: 'transparent',
        bottomColor: colour('--danger-tint') || 'transparent',
        lineWidth: 1,
        priceFormat: percentFormat,
        invertFilledArea: true,
      });
      area.setData(
        points(
          series.time,
          series.drawdown.map((value) => value * 100),
        ),
      );
    },
    [series],
  );
  return <div ref={holder} className={classes.low} role="img" aria-label="Drawdown over time" />;
}

export interface Line {
  name: string;
  time: number[];
  values: number[];
}

/** Several results in one, each as growth in percent. */
export function CompareChart({ lines }: { lines: Line[] }) {
  const { holder } = useChart(
    ({ library, chart, colour }) => {
      const colours = ['--primary', '--success-ink', '--warning-ink', '--danger-ink', '--ink-muted'];
      for (const [index, { name, time, values }] of lines.entries()) {
        const first = values[0] || 1;
        chart
          .addSeries(library.LineSeries, {
            color: colour(colours[index % colours.length] ?? '--ink'),
            lineWidth: 2,
            title: name,
            priceLineVisible: false,
            priceFormat: percentFormat,
          })
          .setData(
            points(
              time,
              values.map((value) => (value / first - 1) * 100),
            ),
          );
      }
    },
    [lines],
  );
  return <div ref={holder} className={classes.chart} role="img" aria-label="Growth of the compared results" />;
}

export interface Bars {
  /** In seconds. */
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
}

/** The price with what was bought and sold; a press on a bar asks what the strategy saw there. */
export function TradesChart(props: { bars: Bars; trades: StrategyTrade[]; onBar(time: number): void }) {
  const { bars, trades, onBar } = props;
  const { holder } = useChart(
    ({ library, chart, colour }) => {
      const candles = chart.addSeries(library.CandlestickSeries, {
        upColor: colour('--success-ink'),
        downColor: colour('--danger-ink'),
        borderVisible: false,
        wickUpColor: colour('--success-ink'),
        wickDownColor: colour('--danger-ink'),
      });
      candles.setData(
        bars.time.map((time, index) => ({
          time: time as UTCTimestamp,
          open: bars.open[index] ?? 0,
          high: bars.high[index] ?? 0,
          low: bars.low[index] ?? 0,
          close: bars.close[index] ?? 0,
        })),
      );
      const markers = trades.flatMap((trade): SeriesMarker<UTCTimestamp>[] => [
        { time: seconds(trade.entry_time), position: 'belowBar', shape: 'arrowUp', color: colour('--success-ink') },
        ...(trade.exit_time === null
          ? []
          : [
              {
                time: seconds(trade.exit_time),
                position: 'aboveBar' as const,
                shape: 'arrowDown' as const,
                color: colour('--danger-ink'),
              },
            ]),
      ]);
      library.createSeriesMarkers(
        candles,
        markers.sort((a, b) => a.time - b.time),
      );
      chart.subscribeClick(({ time }) => typeof time === 'number' && onBar(time * 1000));
    },
    [bars, trades],
  );
  return <div ref={holder} className={classes.chart} role="img" aria-label="Price with trades" />;
}
