import type { BarInspection, StrategyDescription } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { app, author, described, tested, useAuthors, verificationOf, write } from '../../test/set-ups/authors.ts';
import { createTestApp } from '../../test/test-app.ts';

useAuthors();

describe('a strategy in Python', () => {
  test('is described, tested, computed again, looked into, swept and walked forward like any other', async () => {
    const who = await author({ template: 'strategy-moving-average-cross-python' });
    expect(await described(who)).toMatchObject({
      ...{ code_path: 'strategy.py', language: 'python', problem: null },
      parameters: [
        { name: 'fast', kind: 'integer', default: 20, min: 2, label: 'Fast average' },
        { name: 'slow', kind: 'integer', default: 50 },
      ],
    });
    const other = await author({ template: 'strategy-moving-average-cross' });
    const [inPython, inTypeScript] = [await tested(who), await tested(other)];
    expect(inPython).toMatchObject({ reason: null, state: 'done', look_ahead: 'passed' });
    expect(inPython.result?.trades).toEqual(inTypeScript.result?.trades);
    expect(inPython.result?.trades.length).toBeGreaterThan(2);
    expect(inPython.result?.series).toEqual(inTypeScript.result?.series);
    expect(inPython.summary).toEqual(inTypeScript.summary);
    const path = `/v1/strategies/${who.strategyId}/backtests/${inPython.id}`;
    await app.call('POST', `${path}/verify`, { token: who.token, body: {} });
    expect(await verificationOf(who, inPython.id)).toMatchObject({ state: 'passed' });
    const first = inPython.result?.trades[0];
    const bar = await app.call<BarInspection>('GET', `${path}/bar`, {
      ...{ token: who.token, query: { time: String((first?.entry_time ?? 0) - 3_600_000) } },
    });
    expect(bar.body.decisions).toMatchObject([{ side: 'buy', reason: 'Fast above slow' }]);
    const plan = { ranges: { fast: [5, 10], slow: [30, 50] }, folds: 2 };
    const swept = await tested(who, { kind: 'sweep', plan });
    expect(swept.points).toHaveLength(4);
    expect(swept.points).toEqual((await tested(other, { kind: 'sweep', plan })).points);
    const walked = await tested(who, { kind: 'walk_forward', plan });
    expect(walked.folds?.length).toBeGreaterThanOrEqual(2);
    expect(walked.folds).toEqual((await tested(other, { kind: 'walk_forward', plan })).folds);
  });

  test('reaches neither files nor network, whatever it finds in the interpreter', async () => {
    const who = await author({ template: 'strategy-grid-python' });
    const attempt = async (body: string) => {
      const code = `from atoll_strategy import Strategy

class Mine(Strategy):
    def start(self):
        hidden = [each for each in object.__subclasses__() if each.__name__ == "_wrap_close"][0].__init__.__globals__
        real = hidden["sys"].modules["builtins"].__import__
        ${body}

    def on_bar(self):
        pass
`;
      await write(who, 'strategy.py', code);
      return (await tested(who)).reason;
    };
    expect(await attempt(`real("os").listdir(${JSON.stringify(process.cwd())} + "/docs")`)).toMatch(
      /FileNotFoundError/,
    );
    expect(await attempt('real("socket").create_connection(("127.0.0.1", 80), 1)')).toMatch(
      /OSError|Refused|unreachable/,
    );
    expect(await attempt('real("builtins").open("/etc/passwd").read()')).toMatch(/FileNotFoundError/);
  });

  test('that cannot be read, fails or does not end is told so', async () => {
    const who = await author({ template: 'strategy-breakout-python' });
    await write(who, 'strategy.py', 'x = 1\nclass Mine(\n');
    expect((await described(who)).problem).toMatchObject({
      line: 2,
      column: expect.any(Number),
      message: expect.stringMatching(/SyntaxError/),
    });
    const body = 'from atoll_strategy import Strategy\n\nclass Mine(Strategy):\n    def on_bar(self):\n        ';
    await write(who, 'strategy.py', `${body}import os\n`);
    const failed = await tested(who);
    expect(failed).toMatchObject({ state: 'failed', problem: { line: 5 }, reason: 'Strategies cannot import os' });
    await write(who, 'strategy.py', `${body}all = [0] * 10 ** 9\n`);
    expect((await tested(who)).reason).toBe('It needs more than the 1024 MB of memory a strategy may take.');
  });

  test('without a Python says what to do', async () => {
    const without = await createTestApp({ env: { ATOLL_PYTHON: '/nowhere/python' } });
    const { token } = await without.person();
    const made = await without.project(token, { template: 'strategy-grid-python' });
    const { body } = await without.get<StrategyDescription>(token, `/v1/strategies/${made.default_file_id}`);
    expect(body.problem?.message).toMatch(/^This server has no Python for strategies\. Install Python/);
  });
});
