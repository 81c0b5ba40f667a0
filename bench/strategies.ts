import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { demoAssets, demoPrices } from '@atoll/trading';
import { runBacktest } from '@atoll/trading/backtest/backtest';
import { prepare } from '@atoll/trading/backtest/code/prepare';
import { Simulation } from '@atoll/trading/backtest/engine/simulation';
import type { Hosts } from '@atoll/trading/backtest/hosts/host';
import { type HostCommand, launchHosts, openHosts } from '@atoll/trading/backtest/hosts/launch';
import { loadHosted } from '@atoll/trading/backtest/hosts/load';
import type { BacktestJob, BacktestMarket } from '@atoll/trading/backtest/job';
import { verify } from '@atoll/trading/backtest/verify';
import { aggregate } from '@atoll/trading/candles';
import { peerPython } from './notebook-peers.ts';
import { median, type Result } from './report.ts';

const run = promisify(execFile);
const year = 525_600;
const from = Date.UTC(2025, 0, 1) / 60_000;
const rounds = 9;
const fees = { maker: 0.0005, taker: 0.0005 };

/** A cross of two averages, all in or all out: what every engine can do. */
const cross = `export default strategy({
  parameters: { fast: integer({ default: 20, min: 2, max: 200 }), slow: integer({ default: 50, min: 5, max: 400 }) },
  warmUp: (p) => p.slow + 1,
  start({ market }, p) {
    const [fast, slow] = [market.sma(p.fast), market.sma(p.slow)];
    return {
      onBar() {
        if (fast.crossesAbove(slow)) { if (market.position === 0) market.buy({ percent: 100 }); }
        else if (fast.crossesBelow(slow) && market.position > 0) market.closePosition();
      },
    };
  },
});`;
const crossInPython = `from atoll_strategy import Strategy, integer

class Cross(Strategy):
    fast = integer(default=20, min=2, max=200)
    slow = integer(default=50, min=5, max=400)

    def warm_up(self):
        return self.slow + 1

    def start(self):
        self.a, self.b = self.market.sma(self.fast), self.market.sma(self.slow)

    def on_bar(self):
        if self.a.crosses_above(self.b):
            if self.market.position == 0:
                self.market.buy(percent=100)
        elif self.a.crosses_below(self.b) and self.market.position > 0:
            self.market.close_position()
`;
const rotation = `export default strategy({
  markets: { min: 50, max: 50 },
  warmUp: 169,
  start({ markets, weights }) {
    const strengths = markets.map((market) => market.momentum(168));
    return {
      onBar() {
        if (markets[0].count % 24 !== 0) return;
        const shares = {};
        for (let index = 0; index < markets.length; index++) {
          if (strengths[index].value > 0.05) shares[markets[index].symbol] = 0.02;
        }
        weights(shares, { drift: 0.005 });
      },
    };
  },
});`;

const rules = { amountStep: 0, priceTick: 0, minAmount: 0, maxAmount: null, minNotional: 0 };
const marketOf = (columns: BacktestMarket['columns'], base = 'BTC'): BacktestMarket => ({
  ...{ symbol: `${base}/USDT`, base, quote: 'USDT', rules, columns },
});
const jobOf = (
  code: string,
  interval: BacktestJob['interval'],
  markets: BacktestMarket[],
): Omit<BacktestJob, 'hosts'> => ({
  ...{ code, parameters: {}, interval, markets, capital: 10_000, fees, slippage: 0, seed: 1 },
});

function timed(work: () => void): number {
  const times = Array.from({ length: rounds + 3 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  // The first ones are compiled while they run.
  return median(times.slice(3));
}

/** Processes for strategies, as many as are asked for; all end with the work. */
async function withHosts<Answer>(
  { language, executable }: Pick<HostCommand, 'language' | 'executable'>,
  count: number,
  work: (hosts: Hosts) => Answer | Promise<Answer>,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-strategies-'));
  const command = { language, executable, prefix: [], cpuSeconds: 600, memoryMb: 1_024 };
  const launched = await launchHosts(command, folder, count);
  try {
    return await work(openHosts(language, folder, launched.names));
  } finally {
    launched.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
const typescript = { language: 'typescript', executable: process.execPath } as const;

/** One pass, as one compares engines: the bars and averages are there, the strategy decides in its process, and the engine here. */
const engineMs = (job: Omit<BacktestJob, 'hosts'>): Promise<{ ms: number; equity: number }> =>
  withHosts(typescript, 1, (hosts) => {
    const strategy = loadHosted(job.code, hosts);
    const setup = prepare(job, strategy);
    let equity = 0;
    const ms = timed(() => {
      strategy.guard(() => {
        const simulation = new Simulation({ ...setup, drive: strategy.drive() });
        simulation.run();
        equity = simulation.equityNow();
      }, 60_000);
    });
    strategy.end();
    return { ms, equity };
  });

/** The same in Python: the cross is found beforehand, and filled at the next open. */
const peerCode = `
import sys, json, time, warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd
folder, rounds = sys.argv[1], int(sys.argv[2])
columns = {n: np.fromfile(folder + '/' + n, dtype=np.float64) for n in ('time', 'open', 'high', 'low', 'close', 'volume')}
index = pd.to_datetime(columns['time'], unit='ms')
close = pd.Series(columns['close'], index=index)
fast, slow = close.rolling(20).mean(), close.rolling(50).mean()
up = ((fast > slow) & (fast.shift() <= slow.shift())).shift(fill_value=False)
down = ((fast < slow) & (fast.shift() >= slow.shift())).shift(fill_value=False)
up.iloc[:52] = False
down.iloc[:52] = False
opens = pd.Series(columns['open'], index=index)
import vectorbt as vbt
def once():
    return vbt.Portfolio.from_signals(close, up, down, price=opens, fees=0.0005, init_cash=10000, freq='1min')
def timed(work):
    times = []
    for _ in range(rounds + 2):
        began = time.perf_counter(); result = work(); times.append((time.perf_counter() - began) * 1000)
    return sorted(times[2:])[rounds // 2], result
ms, portfolio = timed(once)
print(json.dumps({'name': 'vectorbt', 'ms': ms, 'equity': float(portfolio.final_value())}), flush=True)
from backtesting import Backtest, Strategy
part = 20000
data = pd.DataFrame({'Open': columns['open'], 'High': columns['high'], 'Low': columns['low'], 'Close': columns['close'], 'Volume': columns['volume']}, index=index).iloc[:part]
class Cross(Strategy):
    def init(self):
        self.fast = self.I(lambda c: pd.Series(c).rolling(20).mean(), self.data.Close)
        self.slow = self.I(lambda c: pd.Series(c).rolling(50).mean(), self.data.Close)
    def next(self):
        if self.fast[-1] > self.slow[-1] and self.fast[-2] <= self.slow[-2]:
            if not self.position: self.buy()
        elif self.fast[-1] < self.slow[-1] and self.fast[-2] >= self.slow[-2] and self.position: self.position.close()
test = Backtest(data, Cross, cash=1e9, commission=0.0005)
began = time.perf_counter(); test.run(); ms = (time.perf_counter() - began) * 1000
print(json.dumps({'name': 'backtesting.py', 'ms': ms * len(close) / part, 'equity': None}), flush=True)
`;
interface Peer {
  name: string;
  ms: number;
  equity: number | null;
}

async function peers(columns: BacktestMarket['columns']): Promise<Peer[]> {
  const python = await peerPython('strategies', 'python', ['vectorbt==1.2.0', 'backtesting==0.6.6']);
  const folder = mkdtempSync(join(tmpdir(), 'atoll-strategies-'));
  try {
    for (const [name, values] of Object.entries(columns))
      writeFileSync(join(folder, name), new Uint8Array(values.buffer));
    writeFileSync(join(folder, 'peer.py'), peerCode);
    const { stdout } = await run(python, [join(folder, 'peer.py'), folder, String(rounds)], { maxBuffer: 1e8 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Peer);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sweepMs(job: Omit<BacktestJob, 'hosts'>): Promise<number> {
  const ranges = {
    fast: Array.from({ length: 10 }, (_, index) => 5 + 4 * index),
    slow: Array.from({ length: 10 }, (_, index) => 60 + 20 * index),
  };
  const folder = mkdtempSync(join(tmpdir(), 'atoll-strategies-'));
  const command = { ...typescript, prefix: [], cpuSeconds: 600, memoryMb: 1_024 };
  const launched = await launchHosts(command, folder, 2);
  const workers = launched.names.map(
    (name, index) =>
      new Worker(new URL('./strategies-sweep.ts', import.meta.url), {
        workerData: { job: { ...job, ranges }, part: { index, of: 2 }, folder, name },
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const began = performance.now();
  const counts = await Promise.all(
    workers.map(async (worker) => {
      worker.postMessage('go');
      const [count] = (await once(worker, 'message')) as [number];
      return count;
    }),
  );
  const ms = performance.now() - began;
  await Promise.all(workers.map((worker) => worker.terminate()));
  launched.close();
  rmSync(folder, { recursive: true, force: true });
  if (counts.reduce((total, count) => total + count, 0) !== 100) throw new Error('Not all points were run');
  return ms;
}

/** The same decisions in Python, by the interpreter that the peers run in; also to the bit. */
async function pythonMs(job: Omit<BacktestJob, 'hosts'>, result: string | undefined) {
  const executable = await peerPython('strategies', 'python', []);
  return withHosts({ language: 'python', executable }, 3 * 12, (hosts) => {
    const ms = (isUnchecked: boolean) =>
      median(
        Array.from({ length: 3 }, () => {
          const began = performance.now();
          const { fingerprint, checks } = runBacktest({ ...job, code: crossInPython, hosts, isUnchecked });
          if (fingerprint?.result !== result) throw new Error('Python comes to another result');
          if (!isUnchecked && checks.lookAhead.runs !== 8) throw new Error('Not all was run');
          return performance.now() - began;
        }),
      );
    return { alone: ms(true), checked: ms(false) };
  });
}

/** Bars handed over one by one, each answered; two processes. Once: it takes seconds. */
const verifiedMs = (job: Omit<BacktestJob, 'hosts'>): Promise<number> =>
  withHosts(typescript, 2, (hosts) => {
    const began = performance.now();
    const { check } = verify({ ...job, hosts, timeLimitMs: 600_000 });
    if (check.state !== 'passed') throw new Error(check.message);
    return performance.now() - began;
  });

/** Backtests of strategies, beside the engines that people use in Python. */
export async function strategies(): Promise<Result[]> {
  const prices = demoPrices(1);
  const [bitcoin] = demoAssets as [(typeof demoAssets)[0]];
  const columns = prices.minutes(bitcoin, from, year);
  const job = jobOf(cross, '1m', [marketOf(columns)]);
  const [vectorbt, backtestingPy] = (await peers(columns)) as [Peer, Peer];
  const engine = await engineMs(job);
  if (vectorbt.equity === null || Math.abs(engine.equity / vectorbt.equity - 1) > 1e-9) {
    throw new Error(`vectorbt comes to ${vectorbt.equity}, we to ${engine.equity}`);
  }
  let result: string | undefined;
  const whole = await withHosts(typescript, (rounds + 3) * 11, (hosts) =>
    timed(() => {
      const { checks, state, fingerprint } = runBacktest({ ...job, hosts });
      if (state !== 'finished' || checks.lookAhead.runs !== 8) throw new Error('Not all was run');
      result = fingerprint?.result;
    }),
  );
  const inPython = await pythonMs(job, result);
  const hours = Array.from({ length: 50 }, (_, index) => {
    const asset = demoAssets[index % demoAssets.length] as (typeof demoAssets)[0];
    return marketOf(aggregate(prices.minutes(asset, from - index * 7_200, year), '1h'), `A${index}`);
  });
  const [first] = hours as [BacktestMarket];
  const aligned = hours.map((market) => ({ ...market, columns: { ...market.columns, time: first.columns.time } }));
  const many = await engineMs(jobOf(rotation, '1h', aligned));
  return [
    {
      ...{ name: 'a year of minutes, asked at each bar, all rules of fills', value: engine.ms, unit: 'ms' },
      peer: { name: "vectorbt's from_signals with the cross at hand", value: vectorbt.ms },
      limit: { of: 'ratio', max: 1 },
    },
    {
      ...{ name: 'the same (50 million bars a second)', value: (engine.ms * 1e6) / year, unit: 'ns a bar' },
      limit: { of: 'value', max: 20 },
    },
    {
      ...{ name: 'the same', value: engine.ms, unit: 'ms' },
      peer: { name: 'backtesting.py, by its first 20,000 bars', value: backtestingPy.ms },
      limit: { of: 'ratio', max: 0.1 },
    },
    {
      ...{ name: 'a year of minutes with figures, tested for look-ahead at eight ends', value: whole, unit: 'ms' },
      limit: { of: 'value', max: 60 },
    },
    {
      ...{ name: 'a verified year of minutes', value: (await verifiedMs(job)) / 1_000, unit: 's' },
      peer: { name: 'backtesting.py, one run, by its first 20,000 bars', value: backtestingPy.ms / 1_000 },
      limit: { of: 'value', max: 30 },
    },
    {
      ...{ name: 'Python cross over a year of minutes with the checks', value: inPython.checked, unit: 'ms' },
      peer: { name: 'backtesting.py, one run, by its first 20,000 bars', value: backtestingPy.ms },
      limit: { of: 'ratio', max: 3 },
    },
    {
      ...{ name: 'the same without the checks', value: inPython.alone, unit: 'ms' },
      peer: { name: 'backtesting.py, one run, by its first 20,000 bars', value: backtestingPy.ms },
      limit: { of: 'ratio', max: 1 },
    },
    {
      ...{ name: 'a sweep of 100 points over a year of minutes, two processes', value: await sweepMs(job), unit: 'ms' },
      limit: { of: 'value', max: 1_000 },
    },
    {
      ...{ name: '50 markets over a year of hours, by weights', value: many.ms, unit: 'ms' },
      limit: { of: 'value', max: 25 },
    },
  ];
}
