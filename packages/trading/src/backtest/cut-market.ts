import { sliceCandles } from '../candles.ts';
import { rowAt } from './engine/columns.ts';
import type { BacktestMarket } from './job.ts';

interface Cut {
  from?: number;
  /** Bars that begin before this. */
  until?: number;
  finerUntil?: number;
}

/** The bars of a part of the time; the finer ones too, because they show how the bars after it go on. */
export function cutMarket(market: BacktestMarket, cut: Cut): BacktestMarket {
  const { from = 0, until = Number.POSITIVE_INFINITY, finerUntil = until } = cut;
  const { columns, finer } = market;
  const within = ({ time }: { time: Float64Array }, end: number): [number, number] => [
    rowAt(time, from),
    rowAt(time, end),
  ];
  return {
    ...market,
    columns: sliceCandles(columns, ...within(columns, until)),
    ...(finer
      ? { finer: { ...finer, columns: sliceCandles(finer.columns, ...within(finer.columns, finerUntil)) } }
      : {}),
  };
}
