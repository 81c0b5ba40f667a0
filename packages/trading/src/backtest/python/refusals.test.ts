import { describe, expect, it } from 'vitest';
import { runBacktest } from '../backtest.ts';
import type { BacktestJob } from '../job.ts';
import { jobOf, marketOf, start, wandering } from '../testing.ts';
import { hour, python, strategyOf, usePython } from './test-strategies.ts';

usePython();

/** What can be found without importing anything. */
const hidden = '[each for each in object.__subclasses__() if each.__name__ == "_wrap_close"][0].__init__.__globals__';

describe('a strategy in Python', () => {
  const problemOf = (code: string, more: Partial<BacktestJob> = {}) =>
    runBacktest({ ...jobOf(code, [marketOf(wandering(200))], more), hosts: python }).problem;
  it('that throws ends with the bar and the line', () => {
    expect(problemOf(strategyOf('if bar == 5:\n    raise ValueError("no")'))).toEqual({
      ...{ code: 'error', message: 'ValueError: no', at: start + 4 * hour, line: 11 },
    });
    const outcome = runBacktest({
      ...jobOf(strategyOf('if bar == 2:\n    market.buy()\nif bar == 150:\n    None.x'), [marketOf(wandering(200))]),
      hosts: python,
    });
    expect(outcome).toMatchObject({ state: 'failed', fingerprint: null, orderCount: 1, summary: { bars: 150 } });
  });

  const cases: [string, string, RegExp][] = [
    ['calls itself', 'again = lambda: again()\nagain()', /calls itself without end/],
    [
      'takes too much memory',
      'all = []\nwhile True:\n    all.append(bytearray(10_000_000))',
      /more than the 256 MB of memory/,
    ],
    ['reads the future', 'market.close(-1)', /-1 bars ago: only the present bar/],
    ['reads half a bar', 'market.sma(2).ago(0.5)', /0.5 bars ago/],
    ['imports the machine', 'import os', /cannot import os/],
    ['asks for the time', 'import time\ntime.time()', /no clock: use self.now/],
    ['makes a date of now', 'import datetime\ndatetime.datetime.now()', /no clock/],
    ['makes a date of today', 'from datetime import date\ndate.today()', /no clock/],
    ['asks pandas for the time', 'import pandas\npandas.Timestamp.now()', /no clock/],
    ['has pandas read the time', 'import pandas\npandas.to_datetime("now")', /no clock/],
    ['uses chance', 'import random', /no randomness of their own: use self.random/],
    ["uses numpy's chance", 'import numpy as np\nnp.random.random()', /no randomness of their own/],
    ["imports numpy's chance", 'from numpy.random import random', /no randomness of their own/],
    ['asks the network', 'import urllib.request', /no network/],
    ['opens a file', 'open("/etc/passwd")', /no files/],
    ['reads a file with pandas', 'import pandas\npandas.read_csv("/etc/passwd")', /no files/],
    ['makes code', 'eval("1")', /cannot make code/],
    ['starts a process', `${hidden}["fork"]()`, /PermissionError/],
    ['starts a program', `${hidden}["execv"]("/bin/true", ["true"])`, /PermissionError/],
    ['starts a thread', `${hidden}["sys"].modules["_thread"].start_new_thread(print, ())`, /can't start new thread/],
    ['ends itself', 'raise SystemExit(0)', /SystemExit/],
    ['makes series without end', "market.column('x', lambda c: c.close)\n".repeat(1), /more than 500 series/],
    ['has a column that is too short', "market.column('x', lambda c: [1, 2])", /has 2 values, there are 600 bars/],
    ['has a column of words', "market.column('x', lambda c: ['a'] * 600)", /not numbers/],
    ['wants an average of nothing', 'market.sma(0)', /the length must be a whole number/],
    ['wants weights above one', 'self.weights({"BTC": 1.5})', /they sum to 1.5, at most 1/],
    ['wants weights of what is not there', 'self.weights({"XYZ": 1})', /no market XYZ/],
    ['wants a weight that is none', 'self.weights({"BTC": float("nan")})', /BTC is NaN/],
    ['protects with nonsense', 'market.protect(stop=-1)', /the stop is -1/],
    ['uses what orders do not have', 'market.buy(stopp=1)', /unexpected keyword argument 'stopp'/],
    ['says something to the console', 'print("bar", bar)\nraise ValueError(bar)', /ValueError: 1/],
  ];
  it.each(cases)('that %s is ended with a reason', async (_, body, message) => {
    const problem = runBacktest({ ...jobOf(strategyOf(body), [marketOf(wandering(600))]), hosts: python }).problem;
    expect(problem).toMatchObject({ code: 'error', message: expect.stringMatching(message) });
    expect(problem?.line).toBeGreaterThan(8);
  });

  it.each([
    ['in a loop', 'while True:\n    pass'],
    [
      'in a loop that catches everything',
      'while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass',
    ],
    ['in one long step', '10 ** 10 ** 9'],
  ])('that does not end %s is ended', async (_, body) => {
    expect(problemOf(strategyOf(body), { timeLimitMs: 700 })).toMatchObject({
      ...{ code: 'time_limit', message: expect.stringMatching(/0.7 seconds/) },
    });
  });
  it('that ends its process is reported', async () => {
    expect(problemOf(strategyOf(`${hidden}["_exit"](3)`))).toMatchObject({
      ...{ code: 'error', message: expect.stringMatching(/ended without an answer/) },
    });
  });

  it.each([
    ['no class', 'x = 1', /one class of Strategy; this file has none/, null],
    ['a mistake in the grammar', 'x = 1\nif x\n', /SyntaxError: expected ':'/, 2, 5],
    ['an error while it is read', 'x = 1\nx.y', /AttributeError/, 2],
    ['no on_bar', 'from atoll_strategy import Strategy\nclass Mine(Strategy): pass', /Mine needs on_bar/, null],
    ['an import of the machine', 'import subprocess', /cannot import subprocess/, 1],
    [
      'wrong parameters',
      strategyOf('pass', 'a = integer(default=9, min=1, max=5)'),
      /Default of a must be at most 5/,
      null,
    ],
    [
      'a parameter that is taken',
      strategyOf('pass', 'cash = integer(default=1, min=1, max=5)'),
      /strategies have this already/,
      null,
    ],
    ['waiting', strategyOf('pass').replace('def on_bar', 'async def on_bar'), /cannot be async/, null],
  ] as [string, string, RegExp, number | null, number?][])('with %s is refused', (_, code, message, line, column) => {
    const place = { at: null, line, ...(column !== undefined && { column }) };
    expect(problemOf(code)).toEqual({ code: 'code', message: expect.stringMatching(message), ...place });
  });
  it('with a loop while it is read is refused', async () => {
    expect(problemOf('while True: pass')).toMatchObject({
      ...{ code: 'time_limit', message: expect.stringMatching(/2 seconds/) },
    });
  });
  it('with a warm-up that is none is refused', () => {
    expect(problemOf(strategyOf('pass', 'warm_up = -1'))?.message).toBe('warmUp is -1');
    expect(problemOf(strategyOf('pass', 'def warm_up(self):\n    return self.nothing'))?.message).toMatch(
      /no attribute 'nothing'/,
    );
  });
  it('cannot order before its time', () => {
    expect(problemOf(strategyOf('pass', 'def start(self):\n    self.market.buy()'))?.message).toMatch(
      /Orders can be made in/,
    );
  });
  it('with orders that are nonsense has them rejected, each with the reason', () => {
    const orders = [
      'amount=float("nan")',
      'amount=-1',
      'percent=float("inf")',
      'percent=101',
      'amount=1, quote=1',
      'limit="a"',
      'good_for_bars=0',
      'amount=[1]',
    ];
    const outcome = runBacktest({
      ...jobOf(strategyOf(orders.map((each) => `assert market.buy(${each}) == 0`).join('\n')), [
        marketOf(wandering(2)),
      ]),
      hosts: python,
    });
    expect(outcome.problem).toBeNull();
    expect(outcome.orders.slice(0, orders.length).map(({ state, note }) => `${state}: ${note}`)).toEqual([
      'rejected: amount is not a number',
      'rejected: amount must be above zero',
      'rejected: percent is not a number',
      'rejected: percent is at most 100',
      'rejected: Give one of amount, quote and percent',
      'rejected: limit is not a number',
      'rejected: goodForBars must be at least 1',
      'rejected: amount is not a number',
    ]);
  });
  it('takes its parameters, each of its kind', () => {
    const code = strategyOf(
      'self.log(f"{self.a!r} {self.b!r} {self.c!r} {self.d!r}")',
      'a = integer(default=5, min=2, max=50)\nb = number(default=1, min=0, max=2)\nc = boolean(default=True)\nd = choice(default="x", options=["x", "y"])',
    );
    const logs = (parameters: BacktestJob['parameters']) =>
      runBacktest({ ...jobOf(code, [marketOf(wandering(1))], { parameters }), hosts: python }).logs[0]?.text;
    expect(logs({})).toBe("5 1.0 True 'x'");
    expect(logs({ a: 7, b: 0.5, c: false, d: 'y' })).toBe("7 0.5 False 'y'");
  });
});
