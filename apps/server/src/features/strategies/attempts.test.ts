import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testPython } from '@atoll/kernels/test-python';
import { runBacktest } from '@atoll/trading/backtest/backtest';
import type { HostCommand } from '@atoll/trading/backtest/hosts/launch';
import { hostRuntime } from '@atoll/trading/backtest/hosts/launch';
import { hostsForTests } from '@atoll/trading/backtest/hosts/testing';
import type { BacktestOutcome } from '@atoll/trading/backtest/job';
import { strategyOf } from '@atoll/trading/backtest/python/test-strategies';
import { jobOf, marketOf, onBar, wandering } from '@atoll/trading/backtest/testing';
import { verify } from '@atoll/trading/backtest/verify';
import { afterAll, expect, test } from 'vitest';
import { confinedHost } from '../../platform/confinement.ts';
import { forgeries, hijacked, hijackedSteps, imports, messages, peeks } from './attempts.ts';

/** Each attempt in processes as they are in production. */

const closes: (() => void)[] = [];
afterAll(() => {
  for (const close of closes) close();
});
const hostsOf = (language: HostCommand['language'], limits: Partial<HostCommand> = {}) => {
  const readable = [hostRuntime, dirname(process.execPath), ...(testPython ? [dirname(dirname(testPython))] : [])];
  const { hosts, close } = hostsForTests(language, { prefix: confinedHost(readable), ...limits });
  closes.push(close);
  return hosts;
};
const [typescript, python] = [hostsOf('typescript'), hostsOf('python')];
const market = marketOf(wandering(600));

/** It got as far as trying, and nothing came of it but what its orders made at prices of the market. */
function expectHonest({ problem, summary, trades, logs }: BacktestOutcome): void {
  if (problem) {
    expect(problem.message).toMatch(/read only|not a function|not extensible|Code generation/);
    return;
  }
  expect(logs.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^tried/));
  const earned = trades.reduce((sum, { result }) => sum + result, 0);
  expect(summary?.endEquity).toBeCloseTo(1_000 + earned, 6);
  expect(summary?.endEquity).toBeLessThan(1_500);
}

test.each(forgeries)('a result is not forged by %s', (_, code) => {
  expectHonest(runBacktest(jobOf(code, [market], { hosts: typescript })));
});

test.each(imports)('nothing is loaded by %s', (_, body) => {
  const code = onBar(`const loaded = ${body.replace(/^const.*?; /, '')}; if (loaded && !loaded.then) log('loaded')`);
  const { problem, logs } = runBacktest(jobOf(code, [marketOf(wandering(5))], { hosts: typescript }));
  expect(logs).toEqual([]);
  expect(problem?.message ?? 'nothing').not.toMatch(/loaded/);
});

test('the process of a strategy has nothing of the server in it, whatever escapes into it', () => {
  // Node itself, where the strategy would be: all that an escape could reach.
  const program = `const fs = require('node:fs'); const seen = { env: Object.keys(process.env), folders: {} };
    for (const path of ['/tmp', '/home', '/root', '/work', '/etc', '/dev/shm', '/run']) { try { seen.folders[path] = fs.readdirSync(path); } catch {} }
    for (const path of ['/tmp/plan', '/dev/plan', '/plan', process.cwd() + '/plan']) { try { fs.writeFileSync(path, 'x'); seen.wrote = path; } catch {} }
    run([], { logs: [[0, JSON.stringify(seen)]] });`;
  const { logs, problem } = runBacktest(jobOf(onBar(''), [market], { hosts: hijackedHosts(program) }));
  expect(problem).toBeNull();
  const seen = JSON.parse(logs[0]?.text ?? '{}');
  expect(seen.wrote).toBeUndefined();
  expect(seen.env.filter((name: string) => /ATOLL|DATABASE|SECRET|KEY|TOKEN/.test(name))).toEqual([]);
  expect(seen.folders['/tmp'] ?? []).not.toContain('plan');
});

/** Speaks the protocol and has no strategy: what it is worth is decided by what it says when it is run. */
function hijackedHosts(program: string, stepping = '') {
  const folder = mkdtempSync(join(tmpdir(), 'hijacked-'));
  closes.push(() => rmSync(folder, { recursive: true, force: true }));
  const helpers = `
    const { readSync, writeSync } = require('node:fs');
    const none = Buffer.alloc(0); let steps = 0;
    const write = (bytes) => { for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at); };
    const claim = (head, tail) => { const first = Buffer.alloc(8); first.writeUInt32LE(head, 0); first.writeUInt32LE(tail, 4); write(first); };
    const frame = (head, tail) => { claim(head.length, tail.length); write(head); write(tail); };
    const say = (message, tail = none) => frame(Buffer.from(JSON.stringify(message)), tail);
    const answer = (bytes) => { claim(2, bytes); write(Buffer.from('{}')); write(Buffer.alloc(bytes)); };
    const row = (changes) => { const given = { step: 1, kind: 0, market: 0, given: 0, reason: 0, ...changes }; return [...Object.values(given), ...Array(8).fill(0)]; };
    const run = (rows, changes = {}) => say({ problem: null, step: steps - 1, calls: rows.length, reasons: [''], logs: [], dropped: 0, own: [], seen: null, ...changes }, Buffer.from(new Float64Array(rows.flat()).buffer));
    let bar = -1;
    const step = (rows, changes = {}) => say({ problem: null, calls: rows.length, reasons: [''], logs: [], dropped: 0, ...changes }, Buffer.from(new Float64Array(rows.flat()).buffer));
    const read = (size) => { const bytes = Buffer.alloc(size); for (let at = 0; at < size;) { const got = readSync(0, bytes, at, size - at, null); if (!got) process.exit(); at += got; } return bytes; };
    for (;;) {
      const first = read(8); const message = JSON.parse(read(first.readUInt32LE(0))); read(first.readUInt32LE(4));
      if (message.do === 'load') say({ parameters: {}, markets: { min: 1, max: 9 }, timeframes: [], warmUp: 0 });
      else if (message.do === 'start' || message.do === 'step') { ${stepping} }
      else if (message.do !== 'run') say({});
      else { steps = message.steps; ${program} }
    }`;
  writeFileSync(join(folder, 'main.cjs'), helpers);
  const executable = join(folder, 'start');
  writeFileSync(executable, `#!/bin/sh\nexec ${process.execPath} ${join(folder, 'main.cjs')}\n`);
  chmodSync(executable, 0o700);
  return hostsOf('typescript', { executable, prefix: confinedHost([dirname(process.execPath), folder]) });
}

test.each(hijacked)('a process that answers %s is ended with a reason', (_, program, message) => {
  const outcome = runBacktest(jobOf(onBar(''), [market], { hosts: hijackedHosts(program) }));
  expect(outcome.problem?.message).toMatch(message);
  expect(outcome.fingerprint).toBeNull();
});

test.each(hijackedSteps)(
  'bars one by one: a process that answers %s is ended, and nothing is known of it',
  (_, program) => {
    const [found, none] = ['run([])', "if (message.do === 'start') step([]);"];
    const hosts = hijackedHosts(found, `${none} else { bar++; if (bar === 3) { ${program} } else step([]); }`);
    const { check } = verify(jobOf(onBar(''), [market], { hosts }));
    expect(check).toMatchObject({
      state: 'skipped',
      message: expect.stringMatching(/^Not tested: It (answered|ended)/),
    });
  },
);

test('a process that orders more than it has is refused by the engine, order by order', () => {
  const program = 'run([row({ given: 1 }).with(5, 1e12), row({ kind: 1, given: 1 }).with(5, 1e12)])';
  const { orders, problem, summary } = runBacktest(jobOf(onBar(''), [market], { hosts: hijackedHosts(program) }));
  expect(problem).toBeNull();
  expect(orders.map(({ state }) => state)).toEqual(['rejected', 'rejected']);
  expect(summary?.endEquity).toBe(1_000);
});

test('code that hangs or fills its memory is ended by the kernel, by the time of the processor', () => {
  const limits = { cpuSeconds: 2, memoryMb: 128 };
  const problemOf = (body: string) =>
    runBacktest(jobOf(onBar(body), [market], { hosts: hostsOf('typescript', limits) })).problem;
  expect(problemOf('for (;;) {}')?.code).toBe('time_limit');
  expect(problemOf('const all = []; for (;;) all.push(new Float64Array(1e6).fill(1))')?.message).toMatch(/memory/);
});

/** Finds the machine as people do, without importing anything. */
const machine = `os_globals = [each for each in object.__subclasses__() if each.__name__ == "_wrap_close"][0].__init__.__globals__
sys = os_globals["sys"]
os = sys.modules["os"]
gc = sys.modules["builtins"].__import__("gc")
array = sys.modules["array"] if "array" in sys.modules else sys.modules["builtins"].__import__("array")`;

test.each(peeks)('a look ahead through %s is found, and finds nothing where bars come one by one', (_, body) => {
  const code = strategyOf(
    `${machine}\nnext = 0\n${body}\nif next > market.close() * 1.001:\n    market.buy(percent=5)\nelif market.position > 0:\n    market.close_position()`,
  );
  const { checks, problem } = runBacktest(jobOf(code, [market], { hosts: python, isUnchecked: false }));
  expect(problem).toBeNull();
  expect(checks.lookAhead.state).toBe('failed');
  expect(verify(jobOf(code, [market], { hosts: python })).check.state).toBe('failed');
});

test.each(messages)('nothing is left by a run for the next one in %s', (_, body) => {
  const code = strategyOf(
    `${machine}\nfound = []\nself.log = found.append\n${body}\nif found:\n    market.buy(percent=1)\nelif bar == 100:\n    market.buy(percent=2)`,
  );
  const { checks, problem, orders } = runBacktest(jobOf(code, [market], { hosts: python, isUnchecked: false }));
  expect(problem).toBeNull();
  expect(orders.every(({ quote }) => quote !== 10)).toBe(true);
  expect(checks.lookAhead).toMatchObject({ state: 'passed', runs: 8 });
});
