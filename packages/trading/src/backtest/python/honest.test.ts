import { describe, expect, it } from 'vitest';
import { runBacktest } from '../backtest.ts';
import { honest, honestWithScipy } from '../honest.ts';
import type { BacktestJob } from '../job.ts';
import { jobOf, marketOf, onBar, wandering } from '../testing.ts';
import { verify } from '../verify.ts';
import { python, strategyOf, usePython } from './test-strategies.ts';

usePython();

describe('honest strategies are not accused', () => {
  const expectPassed = (job: BacktestJob) => {
    const { problem, checks, orderCount } = runBacktest({ ...job, isUnchecked: false });
    expect(problem).toBeNull();
    expect(orderCount).toBeGreaterThan(5);
    expect(checks.lookAhead, checks.lookAhead.message).toMatchObject({ state: 'passed', runs: 8 });
    const { check } = verify(job);
    expect(check.state, check.message).toBe('passed');
  };
  const market = marketOf(wandering(500));

  it.each(honest)('with %s', (_, before, body) => {
    expectPassed(jobOf(onBar(body, before), [market]));
  });

  it.each(honestWithScipy)('with SciPy and %s', (_, imports, start, body) => {
    const code = `${imports}\n${strategyOf(body, `def start(self):\n    ${start}`)}`;
    expectPassed({ ...jobOf(code, [market]), hosts: python });
  });
});
