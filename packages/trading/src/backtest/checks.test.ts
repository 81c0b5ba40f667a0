import { describe, expect, it } from 'vitest';
import { runBacktest } from './backtest.ts';
import type { RunOrder } from './code/host-protocol.ts';
import { doublesOf } from './hosts/frames.ts';
import { noBytes } from './hosts/host.ts';
import { localHosts } from './hosts/testing.ts';
import type { BacktestJob } from './job.ts';
import { planted, trades } from './planted.ts';
import { jobOf, marketOf, onBar, wandering } from './testing.ts';

const columns = wandering(3_000);
const checked = (code: string, more: Partial<BacktestJob> = {}) =>
  runBacktest(jobOf(code, [marketOf(columns)], { isUnchecked: false, ...more }));

describe('the look-ahead test', () => {
  it.each(planted)('finds %s', (_, code) => {
    const { problem, checks, orderCount } = checked(code);
    expect(problem).toBeNull();
    expect(orderCount).toBeGreaterThan(1);
    expect(checks.lookAhead.state).toBe('failed');
    expect(checks.lookAhead.message).toMatch(/looks ahead|Looks ahead|fails/);
    expect(checks.lookAhead.at).not.toBeNull();
  });

  it('finds the few bars that look ahead behind stops that are moved at each bar, whatever the seed', () => {
    const code = onBar(
      'market.protect({ stop: 1 }); if (next.value > 0 && market.position === 0) market.buy(); else if (next.value < 0) market.closePosition();',
      "const next = market.column('next', ({ close }) => close.map((each, row) => (row % 20 === 0 ? (close[row + 1] ?? each) - each : 0)));",
    );
    for (let seed = 1; seed <= 8; seed++)
      expect(checked(code, { seed }).checks.lookAhead.state, String(seed)).toBe('failed');
  });

  it('hands finer bars over only up to the end of the last bar', () => {
    const [hour, quarter] = [3_600_000, 900_000];
    const market = {
      ...marketOf(wandering(300)),
      finer: { interval: '15m' as const, columns: wandering(1_200, 2, '15m') },
    };
    const local = localHosts();
    const lasts: [number, number][] = [];
    const open = () => {
      const host = local.open();
      const exchange = host.exchange.bind(host);
      const times = new Map<number, Float64Array>();
      host.exchange = (message, payload) => {
        const {
          do: what,
          id,
          markets = [],
        } = message as { do: string; id: number } & Partial<Pick<RunOrder, 'markets'>>;
        if (what === 'bars' && !times.has(id)) times.set(id, doublesOf(payload ?? noBytes));
        for (const { bars, finer } of markets) {
          const last = ([of, , to]: [number, number, number]) => times.get(of)?.[to - 1] ?? 0;
          if (what === 'run') lasts.push([last(bars) + hour, last(finer?.bars ?? bars) + quarter]);
        }
        return exchange(message, payload);
      };
      return host;
    };
    const hosts = { ...local, open };
    const code = onBar('if (bar % 9 === 0) market.buy(); if (bar % 9 === 5) market.closePosition();');
    const { checks } = runBacktest(jobOf(code, [market], { isUnchecked: false, hosts }));
    expect(checks.lookAhead).toMatchObject({ state: 'passed', runs: 8 });
    expect(new Set(lasts.map(([end]) => end)).size).toBeGreaterThan(5);
    for (const [end, finerEnd] of lasts) expect(finerEnd).toBe(end);
  });

  it('says what differs', () => {
    const [, code] = planted[0] as [string, string];
    expect(checked(code).checks.lookAhead.message).toMatch(
      /^Column next looks ahead: at 20\d\d-\d\d-\d\d \d\d:\d\d it is [\d.]+ with all data, [\d.]+ with data up to 20/,
    );
  });

  it('passes a column that keeps to the past, and randomness with a seed', () => {
    const code = onBar(
      trades('mean.value > market.close() && random() > 0.2'),
      `const mean = market.column('mean', ({ close }) => close.map((_, row) => (close[row] + (close[row - 1] ?? close[row])) / 2));`,
    ).replace('strategy({', 'strategy({ warmUp: 1,');
    expect(checked(code).checks).toMatchObject({
      lookAhead: { state: 'passed', runs: 8 },
      warmUp: { state: 'passed' },
    });
  });

  it('names the times', () => {
    for (const from of [
      Date.UTC(2024, 1, 29, 22),
      Date.UTC(2000, 11, 31, 23),
      Date.UTC(1970, 0, 1),
      Date.UTC(2099, 2, 1),
    ]) {
      const shifted = { ...columns, time: columns.time.map((_, row) => from + row * 3_600_000) };
      const [, code] = planted[0] as [string, string];
      const { message, at } = runBacktest(jobOf(code, [marketOf(shifted)], { isUnchecked: false })).checks.lookAhead;
      expect(message).toContain(`at ${new Date(at ?? 0).toISOString().slice(0, 16).replace('T', ' ')} it is`);
    }
  });

  it('has nothing to say of one bar', () => {
    const outcome = runBacktest(jobOf(onBar(''), [marketOf(wandering(1))], { isUnchecked: false }));
    expect(outcome.state).toBe('finished');
    expect(outcome.checks).toMatchObject({ lookAhead: { state: 'skipped' }, warmUp: { state: 'skipped' } });
  });
});

describe('the warm-up test', () => {
  const cross = (warmUp: number) => `export default strategy({ warmUp: ${warmUp}, start({ market }) {
    const [fast, slow] = [market.ema(10), market.ema(40)];
    return { onBar() { if (fast.value > slow.value) { if (market.position === 0) market.buy() } else market.closePosition() } };
  } });`;
  it('finds a warm-up that is too short', () => {
    const { warmUp } = checked(cross(10)).checks;
    expect(warmUp).toMatchObject({ state: 'failed', runs: 2 });
    expect(warmUp.message).toMatch(/^10 bars of warm-up are too few: at 20/);
  });
  it('passes one that is long enough, also where history lies before the start', () => {
    expect(checked(cross(400)).checks.warmUp).toMatchObject({ state: 'passed' });
    expect(checked(cross(400), { from: columns.time[1_000] }).checks.warmUp).toMatchObject({ state: 'passed' });
  });
});
