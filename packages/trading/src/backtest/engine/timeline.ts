import type { BacktestMarket } from '../job.ts';

/** The times of all markets together; the column itself where they are the same. */
export function timelineOf(markets: readonly Pick<BacktestMarket, 'columns'>[]): Float64Array {
  const [first, ...others] = markets.map(({ columns }) => columns.time);
  if (!first) return new Float64Array(0);
  const isSame = (time: Float64Array) => time.length === first.length && time.every((each, row) => each === first[row]);
  if (others.every(isSame)) return first;
  const times = new Set<number>();
  for (const { columns } of markets) for (const time of columns.time) times.add(time);
  return Float64Array.from(times).sort();
}
