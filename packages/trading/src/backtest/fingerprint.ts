import { createHash } from 'node:crypto';
import type { ParameterValues } from './code/parameters.ts';
import type { Columns } from './engine/columns.ts';
import type { Simulation } from './engine/simulation.ts';
import type { BacktestJob, Fingerprint } from './job.ts';

/** Counted up whenever the same job can come to another result; a test holds results to it. */
export const engineVersion = 'atoll-backtest-2';

const bytesOf = (values: Float64Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const textHash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Keys in order: the same values are the same text. */
const sorted = (values: object): string => JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

const known = new WeakMap<Columns, string>();
function columnsHash(columns: Columns): string {
  const found = known.get(columns);
  if (found) return found;
  const hash = createHash('sha256');
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) hash.update(bytesOf(columns[name]));
  const digest = hash.digest('hex');
  known.set(columns, digest);
  return digest;
}

/**
 * Everything that a result depends on, so that anyone can compute it again to the bit: columns as little-endian doubles, the
 * code as it is written, what it was set to, and all that came of it.
 */
export function fingerprintOf(
  job: BacktestJob,
  version: string,
  parameters: ParameterValues,
  simulation: Simulation,
): Fingerprint {
  const markets = job.markets.map(({ symbol, base, quote, rules, columns, finer }) => [
    ...[symbol, base, quote, sorted(rules), columnsHash(columns)],
    ...(finer ? [finer.interval, columnsHash(finer.columns)] : []),
  ]);
  const { interval, from, capital, fees, slippage, deposits } = job;
  const settings = { interval, from: from ?? null, capital, slippage, deposits: deposits ?? [], ...fees };
  const result = createHash('sha256');
  for (const table of [simulation.decisions, simulation.fills, simulation.trades]) result.update(bytesOf(table.values));
  result.update(bytesOf(simulation.equity.subarray(simulation.first, simulation.step + 1)));
  return {
    data: textHash(JSON.stringify(markets)),
    code: textHash(job.code),
    engine: version ? `${engineVersion} python ${version}` : engineVersion,
    parameters: textHash(sorted(parameters) + sorted(settings)),
    seed: job.seed,
    result: result.digest('hex'),
  };
}
