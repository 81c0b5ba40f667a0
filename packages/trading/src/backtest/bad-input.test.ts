import { describe, expect, it } from 'vitest';
import { runBacktest } from './backtest.ts';
import type { StrategyError } from './code/load.ts';
import { type Columns, checkColumns } from './engine/columns.ts';
import { loadHosted } from './hosts/load.ts';
import { localHosts } from './hosts/testing.ts';
import type { BacktestJob } from './job.ts';
import { columnsOf, jobOf, marketOf, onBar, start, wandering } from './testing.ts';

const hour = 3_600_000;
const changed = (change: (columns: Columns) => void): Columns => {
  const columns = wandering(100);
  change(columns);
  return columns;
};
const problemOf = (code: string, columns = wandering(200), more: Partial<BacktestJob> = {}) =>
  runBacktest(jobOf(code, [marketOf(columns)], more)).problem;

describe('data', () => {
  const cases: [string, (columns: Columns) => void, RegExp][] = [
    [
      'a bar twice',
      ({ time }) => {
        time[50] = time[49] as number;
      },
      /row 50: The same time is there twice/,
    ],
    [
      'disorder',
      ({ time }) => {
        time[50] = time[10] as number;
      },
      /row 50: The time is before/,
    ],
    [
      'what is no number',
      ({ close }) => {
        close[7] = Number.NaN;
      },
      /row 7: A value is missing/,
    ],
    [
      'infinity',
      ({ high }) => {
        high[7] = Number.POSITIVE_INFINITY;
      },
      /row 7/,
    ],
    [
      'a high below the low',
      ({ high, low }) => {
        [high[3], low[3]] = [low[3] as number, high[3] as number];
      },
      /row 3: The high/,
    ],
    [
      'a close above the high',
      ({ high, close }) => {
        close[3] = (high[3] as number) * 2;
      },
      /row 3: Open or close/,
    ],
    [
      'a price of zero',
      ({ low }) => {
        low[9] = 0;
      },
      /row 9: The price 0/,
    ],
    [
      'volume below zero',
      ({ volume }) => {
        volume[9] = -1;
      },
      /row 9: The volume is -1/,
    ],
    [
      'a time within a bar',
      ({ time }) => {
        time[99] = (time[99] as number) + 60_000;
      },
      /row 99: The time is not/,
    ],
  ];
  it.each(cases)('with %s is refused with the row', (_, change, message) => {
    const outcome = runBacktest(jobOf(onBar(''), [marketOf(changed(change))]));
    expect(outcome).toMatchObject({ state: 'failed', problem: { code: 'data' }, summary: null });
    expect(outcome.problem?.message).toMatch(message);
  });
  it('without bars is refused', () => {
    expect(problemOf(onBar(''), columnsOf([]))).toMatchObject({ code: 'data' });
  });
  it('with gaps and bars without trades runs, and both are told', () => {
    const columns = changed(({ time, volume }) => {
      for (let row = 60; row < 100; row++) time[row] = (time[row] as number) + 5 * hour;
      volume[3] = 0;
    });
    const outcome = runBacktest(jobOf(onBar('if (bar === 1) market.buy()'), [marketOf(columns)]));
    expect(outcome.state).toBe('finished');
    expect(outcome.data).toMatchObject([
      { missingBars: 5, gaps: [{ from: start + 60 * hour, bars: 5 }], zeroVolumeBars: 1 },
    ]);
  });
  it('names no more than twenty problems of many', () => {
    const report = checkColumns(
      changed(({ close }) => close.fill(Number.NaN)),
      hour,
    );
    expect(report.problems).toHaveLength(20);
    expect(report.problemCount).toBe(100);
  });
  it('of one bar gives figures or the reason why there are none', () => {
    const { summary } = runBacktest(jobOf(onBar(''), [marketOf(columnsOf([[1, 1, 1, 1]]))]));
    expect(summary).toMatchObject({ totalReturn: { value: 0 }, sharpe: { value: null }, winRate: { value: null } });
  });
  it('shorter than the warm-up is refused', () => {
    const code = onBar('').replace('strategy({', 'strategy({ warmUp: 500,');
    expect(problemOf(code)?.message).toBe('There are 200 bars; the strategy warms up for 500');
  });
});

describe('a job', () => {
  const cases: [string, Partial<BacktestJob>, string][] = [
    ['no capital', { capital: 0 }, 'The capital must be above zero'],
    ['fees above all', { fees: { maker: 2, taker: 0 } }, 'Fees are from 0 to 0.1 (10 %)'],
    ['slippage below zero', { slippage: -1 }, 'Slippage is from 0 to 0.1 (10 %)'],
    ['no market', { markets: [] }, 'There is no market'],
    ['a market twice', { markets: [marketOf(wandering(9)), marketOf(wandering(9))] }, 'A market is there twice'],
    ['an unknown time frame', { interval: '7m' as '1m' }, 'There is no time frame 7m'],
    ['a deposit that is none', { deposits: [{ at: Number.NaN, amount: 1 }] }, 'A deposit is not a number'],
  ];
  it.each(cases)('with %s is refused', (_, more, message) => {
    expect(problemOf(onBar(''), undefined, more)).toMatchObject({ code: 'job', message });
  });
  it('with other parameters than declared is refused, each named', () => {
    const code = `export default strategy({
      parameters: { fast: integer({ default: 5, min: 2, max: 50 }), kind: choice({ default: 'a', options: ['a', 'b'] }), on: boolean({ default: true }) },
      start() { return { onBar() {} } },
    });`;
    const message = (parameters: BacktestJob['parameters']) => problemOf(code, undefined, { parameters })?.message;
    expect(message({ fast: 1 })).toBe('fast must be at least 2');
    expect(message({ fast: 2.5 })).toBe('fast must be a whole number');
    expect(message({ fast: 'x', kind: 'c', on: 1 })).toBe(
      'fast must be a number. kind must be one of a, b. on must be true or false',
    );
    expect(message({ slow: 1 })).toBe('The strategy has no parameter slow');
    expect(message({ fast: 50 })).toBeUndefined();
  });
});

describe('a strategy', () => {
  it('that throws ends with the bar and the line', () => {
    const code =
      'export default strategy({ start({ market }) {\n  return { onBar() {\n    if (market.count === 5) throw new Error("no");\n  } };\n} });';
    expect(problemOf(code)).toEqual({ code: 'error', message: 'no', at: start + 4 * hour, line: 3 });
  });
  it('that throws has results up to there', () => {
    const outcome = runBacktest(
      jobOf(onBar('if (bar === 2) market.buy(); if (bar === 150) null.x'), [marketOf(wandering(200))]),
    );
    expect(outcome).toMatchObject({ state: 'failed', fingerprint: null, orderCount: 1, summary: { bars: 150 } });
  });
  it.each([
    ['loops', 'for (;;) {}', 'time_limit', /longer than 2 seconds/],
    ['calls itself', 'const again = () => again(); again()', 'error', /calls itself without end/],
    ['reads the future', 'market.close(-1)', 'error', /-1 bars ago: only the present bar/],
    ['reads half a bar', 'market.sma(2).ago(0.5)', 'error', /0.5 bars ago/],
    ['uses the wall clock', 'Date.now()', 'error', /Strategies have no clock: use now/],
    ['makes a date', 'new Date()', 'error', /no clock/],
    ['asks for the time in another way', 'new Intl.DateTimeFormat().format()', 'error', /no clock/],
    ['uses chance', 'Math.random()', 'error', /no randomness of their own: use random/],
    ['asks the network', 'fetch("http://localhost")', 'error', /no network/],
    ['looks for the process', 'process.exit()', 'error', /nothing but their markets/],
    ['promises', 'new Promise(() => {})', 'error', /cannot wait/],
    ['makes series without end', "market.column('x', ({ close }) => close)", 'error', /more than 500 series/],
    ['waits', 'setTimeout(() => {}, 1)', 'error', /no timers/],
    ['makes code', 'new Function("return 1")()', 'error', /Code generation from strings/],
    ['evaluates code', 'eval("1")', 'error', /cannot make code/],
    ['changes what all use', 'Array.prototype.push = () => 0', 'error', /read only/],
    ['leaves something behind', 'globalThis.mine = 1', 'error', /not extensible/],
    ['wants weights above one', 'weights({ BTC: 1.5 })', 'error', /they sum to 1.5, at most 1/],
    ['wants weights of what is not there', 'weights({ XYZ: 1 })', 'error', /no market XYZ/],
  ])('that %s is ended with a reason', (_, body, code, message) => {
    const problem = problemOf(onBar(body), wandering(600), { hosts: localHosts(2_000) });
    expect(problem?.code).toBe(code);
    expect(problem?.message).toMatch(message);
  });
  it('finds no way out of its world', () => {
    const ways = [
      'market',
      'markets',
      'state',
      'p',
      'log',
      'market.buy',
      'market.sma(3)',
      'context',
      '(() => { try { market.close(-1) } catch (e) { return e } })()',
    ];
    for (const way of ways) {
      const problem = problemOf(onBar(`${way}.constructor.constructor("return process")()`));
      expect(problem?.message).toMatch(/Code generation from strings/);
    }
    expect(problemOf(onBar('if (typeof __work !== "undefined") throw new Error("found")'))).toBeNull();
  });
  it('cannot order before its time', () => {
    const code = 'export default strategy({ start({ market }) { market.buy(); return { onBar() {} } } });';
    expect(problemOf(code)?.message).toMatch(/Orders can be made in onBar and onFill only/);
  });
  it('cannot touch what it is judged by', () => {
    for (const body of [
      'market.position = 5',
      'context.cash = 1e9',
      'market.sma(3).value = 1',
      'Object.assign(market, { buy: 1 })',
    ]) {
      const outcome = runBacktest(jobOf(onBar(body), [marketOf(wandering(50))]));
      expect(outcome.summary?.endEquity ?? 1_000).toBe(1_000);
    }
    const code = onBar('', "market.column('mine', (columns) => { columns.close.fill(1); return columns.close; });");
    const columns = wandering(50);
    const before = columns.close[10];
    expect(problemOf(code, columns)).toBeNull();
    expect(columns.close[10]).toBe(before);
  });
  it('that logs and orders without end is cut, not stopped', () => {
    const outcome = runBacktest(
      jobOf(onBar('for (let n = 0; n < 20; n++) { log("x".repeat(9999)); market.buy({ amount: 0.001, limit: 1 }) }'), [
        marketOf(wandering(500)),
      ]),
    );
    expect(outcome.logs).toHaveLength(1_000);
    expect(outcome.logs[0]?.text).toHaveLength(500);
    expect(outcome.droppedLogs).toBe(9_000);
    expect(outcome.orderCount).toBe(10_000);
    expect(outcome.orders).toHaveLength(5_000);
    expect(outcome.orders.filter(({ state }) => state === 'open')).toHaveLength(500);
    expect(outcome.orders[600]?.note).toBe('500 orders are open already');
  });
  it.each([
    ['no code', '', /one file with export default/],
    ['a mistake in the grammar', 'export default strategy({', /./],
    ['an import', 'import fs from "node:fs";\nexport default strategy({ start() {} })', /import nothing/],
    ['an import behind a comment', 'export default strategy({ start() { import/**/("node:fs") } })', /import nothing/],
    ['an import at run time', 'export default strategy({ start() { import("node:fs") } })', /import nothing/],
    ['no start', 'export default strategy({})', /needs start/],
    [
      'wrong parameters',
      'export default strategy({ parameters: { a: integer({ default: 9, min: 1, max: 5 }) }, start() {} })',
      /Default of a must be at most 5/,
    ],
    ['a loop while loading', 'while (true) {}\nexport default strategy({ start() {} })', /longer than 2 seconds/],
    [
      'a promise for each bar',
      'export default strategy({ start() { return { async onBar() {} } } })',
      /cannot be async/,
    ],
    ['nothing to call', 'export default strategy({ start() {} })', /start must return/],
    ['a warm-up that is none', 'export default strategy({ warmUp: -1, start() {} })', /warmUp is -1/],
  ])('with %s is refused', (_, code, message) => {
    expect(problemOf(code)?.message).toMatch(message);
  });
  it('may have types and the import that editors want', () => {
    const code = `import { strategy, integer } from '@atoll/strategy';
      interface Mine { count: number }
      const mine: Mine = { count: 0 };
      export default strategy({ start({ market }: { market: any }) { return { onBar(): void { mine.count += 1; if (mine.count === 3) market.buy(); } }; } });`;
    const run = () => runBacktest(jobOf(code, [marketOf(wandering(50))])).orders.map(({ time }) => time);
    // What it keeps outside of start is of one run only.
    expect(run()).toEqual([start + 3 * hour]);
    expect(run()).toEqual([start + 3 * hour]);
  });
});

describe('what is large', () => {
  it('fifty markets with finer bars are tested', () => {
    const markets = Array.from({ length: 50 }, (_, index) => {
      const finer = { interval: '15m' as const, columns: wandering(160, index + 60, '15m') };
      return { ...marketOf(wandering(40, index + 1), `C${index}`), finer };
    });
    const code = onBar('if (bar === 5) market.buy({ quote: 10 })').replace('max: 9', 'max: 50');
    const { problem, orderCount } = runBacktest(jobOf(code, markets));
    expect([problem, orderCount]).toEqual([null, 1]);
  });

  it('what an author declares is text and numbers, or refused in words', () => {
    for (const field of [
      'timeframes: [{ toString: 1 }]',
      'parameters: { n: { kind: "integer", min: { valueOf: 1 }, max: 2 } }',
    ]) {
      const problem = problemOf(onBar('').replace('strategy({', `strategy({ ${field},`));
      expect(problem).toMatchObject({ code: 'code', message: expect.stringMatching(/\w/) });
    }
  });
});

describe('code that cannot be read', () => {
  const loading = (code: string) => {
    try {
      loadHosted(code, localHosts()).end();
      return null;
    } catch (error) {
      return (error as StrategyError).problem;
    }
  };
  it.each([
    ['types that cannot be taken away', 'const a = 1;\nexport default strategy({ start( { } });', 2, 38],
    ['a name that is there twice', 'let a = 1;\n  let a = 2;\nexport default strategy({ start() {} });', 2, 7],
  ])('has its line and column: %s', (_, code, line, column) => {
    expect(loading(code)).toMatchObject({ code: 'code', line, column });
  });
  it('is read when the strategy is on the line of something else', () => {
    expect(loading('let x = 1; export default strategy({ start() { return { onBar() {} }; } });')).toBeNull();
    expect(
      loading('let x; let y; export default strategy({ start() {} }); export default strategy({})')?.message,
    ).toMatch(/one file with/);
  });
});
