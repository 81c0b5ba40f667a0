import { describe, expect, it } from 'vitest';
import { aggregate } from '../../candles.ts';
import { demoAssets, demoMarkets } from '../../demo/markets.ts';
import { demoPrices } from '../../demo/prices.ts';
import { runBacktest } from '../backtest.ts';
import { rulesOf } from '../engine/rules.ts';
import { localHosts } from '../hosts/testing.ts';
import type { BacktestJob } from '../job.ts';
import { type StrategyTemplate, strategyTemplates } from './index.ts';

const from = Date.UTC(2025, 0, 1) / 60_000;
const days = 120;

function templateJob({ code, interval, assets }: StrategyTemplate): BacktestJob {
  const prices = demoPrices(1);
  const markets = assets.map((name) => {
    const asset = demoAssets.find((each) => each.asset === name);
    const market = demoMarkets.find((each) => each.base === name);
    if (!asset || !market) throw new Error(`The demo has no ${name}`);
    const columns = aggregate(prices.minutes(asset, from, days * 1_440), interval);
    return { symbol: market.symbol, base: name, quote: market.quote, rules: rulesOf(market), columns };
  });
  const costs = { fees: { maker: 0.001, taker: 0.001 }, slippage: 0.0005 };
  return { code, parameters: {}, interval, markets, capital: 10_000, ...costs, seed: 1, hosts: localHosts() };
}

describe.each(strategyTemplates.map((template) => [template.id, template] as const))('%s', (_, template) => {
  const outcome = runBacktest(templateJob(template));

  it('trades on the demo and looks neither ahead nor too early', () => {
    expect(outcome.problem).toBeNull();
    expect(outcome.state).toBe('finished');
    expect(outcome.tradeCount).toBeGreaterThan(3);
    expect(outcome.checks.lookAhead).toMatchObject({ state: 'passed' });
    expect(outcome.checks.lookAhead.runs).toBeGreaterThanOrEqual(6);
    expect(outcome.checks.warmUp).toMatchObject({ state: 'passed', runs: 2 });
  });

  it('keeps its books: what is owned at the end is what was there, won and paid', () => {
    const { summary, trades } = outcome;
    const results = trades.reduce((total, { result }) => total + result, 0);
    expect(outcome.tradeCount).toBe(trades.length);
    expect(summary?.endEquity).toBeCloseTo(10_000 + results, 6);
    expect(outcome.rejectedCount).toBeLessThan(outcome.orderCount / 2 + 1);
  });

  it('comes to the same result to the bit', () => {
    expect(outcome.fingerprint?.result).toMatchSnapshot();
    expect(runBacktest(templateJob(template)).fingerprint).toEqual(outcome.fingerprint);
  });
});
