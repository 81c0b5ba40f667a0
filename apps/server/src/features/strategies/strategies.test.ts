import type {
  BarInspection,
  Publication,
  PublishedStrategy,
  PublishedStrategyDetail,
  StrategyTestView,
} from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Write } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import {
  type Author,
  app,
  author,
  described,
  ended,
  get,
  month,
  start,
  strategyOf,
  tested,
  useAuthors,
  verificationOf,
  write,
} from '../../test/set-ups/authors.ts';
import { verifyJob } from './service/verify-job.ts';
import { strategyTests } from './table.ts';

useAuthors();

describe('a new strategy', () => {
  test('runs as it is: parameters, figures, trades, checks and a fingerprint that can be computed again', async () => {
    const who = await author();
    expect(await described(who)).toMatchObject({
      code_path: 'strategy.ts',
      language: 'typescript',
      problem: null,
      parameters: [
        { name: 'fast', kind: 'integer', default: 20, min: 2 },
        { name: 'slow', kind: 'integer', default: 50 },
      ],
    });
    const done = await tested(who);
    expect(done.reason).toBeNull();
    expect(done).toMatchObject({
      number: 1,
      kind: 'backtest',
      state: 'done',
      look_ahead: 'passed',
      verification: null,
      starter: { id: who.id },
    });
    const { result } = done;
    expect(result?.trades.length).toBeGreaterThan(2);
    expect(result?.checks).toMatchObject({ look_ahead: { state: 'passed' }, warm_up: { state: 'passed' } });
    expect(done.summary?.figures.total_return?.value).toBeTypeOf('number');
    expect(result?.series.equity.length).toBe(result?.series.time.length);
    const path = `/v1/strategies/${who.strategyId}/backtests/${done.id}/verify`;
    const asked = await app.post<StrategyTestView>(who.token, path, {});
    expect(asked.body.verification).toEqual({ state: 'queued', message: null, progress: null });
    expect(await verificationOf(who, done.id)).toMatchObject({
      ...{
        state: 'passed',
        message: expect.stringMatching(/^Decided the same on [\d,]+ bars that were handed over one/),
      },
    });
    const first = result?.trades[0];
    const bar = await app.call<BarInspection>(
      'GET',
      `/v1/strategies/${who.strategyId}/backtests/${done.id}/bar`,
      // It was decided at the close of the bar before.
      { token: who.token, query: { time: String((first?.entry_time ?? 0) - 3_600_000) } },
    );
    expect(bar.body.decisions).toMatchObject([{ side: 'buy', reason: first?.entry_reason }]);
    expect(bar.body.markets[0]?.indicators.map(({ name }) => name)).toHaveLength(2);
  });

  test('is verified once, wherever the server is killed meanwhile', async () => {
    const who = await author();
    const { id } = await tested(who);
    const ctx = app.app.system();
    await ctx.db.update(strategyTests).set({ verification: 'queued' }).where(eq(strategyTests.id, id));
    const killed = new Error('killed');
    /** As the queue would hand it over; killed before or after its first write, or its last. */
    const run = (at?: 'begin' | 'begun' | 'end' | 'ended') => {
      const writing = (before: string, after: string) => async (work: (write: Write) => Promise<unknown>) => {
        if (at === before) throw killed;
        const result = await ctx.write(work);
        if (at === after) throw killed;
        return result;
      };
      const [write, finish] = [writing('begin', 'begun'), writing('end', 'ended')];
      const job = { ctx, payload: { test_id: id }, write, finish, signal: new AbortController().signal };
      return verifyJob.run(job as unknown as Parameters<typeof verifyJob.run>[0]);
    };
    const state = async () => (await get(who, id)).verification?.state;
    for (const [at, then] of [
      ['begin', 'queued'],
      ['begun', 'running'],
      ['end', 'running'],
      ['ended', 'passed'],
    ] as const) {
      await expect(run(at), at).rejects.toBe(killed);
      expect(await state(), at).toBe(then);
    }
    await run();
    expect(await state()).toBe('passed');
  });

  test('is tested with what it is given, on what was saved then', async () => {
    const who = await author();
    const one = await tested(who, { parameters: { fast: 5, slow: 10 } });
    const other = await tested(who, { parameters: { fast: 10, slow: 40 } });
    expect(one.result?.trades.length).toBeGreaterThan(other.result?.trades.length ?? 0);
    await write(who, 'strategy.ts', strategyOf('market.buy({ percent: 50 });'));
    expect((await tested(who)).code).toContain('percent: 50');
    expect((await get(who, one.id)).code).toContain('Fast above slow');
    const { body } = await app.get<{ entries: StrategyTestView[]; total: number }>(
      who.token,
      `/v1/strategies/${who.strategyId}/backtests`,
    );
    expect(body.entries.map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  test('sent again, the same request is the same test', async () => {
    const who = await author();
    const request_id = newId();
    const answers = await Promise.all([start(who, { request_id }), start(who, { request_id })]);
    expect((await start(who, { request_id, settings: { capital: 1 } })).status).toBe(409);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await ended(who, answers[0]?.body.id ?? '');
  });

  test('is read by a viewer of its source, who starts and cancels nothing', async () => {
    const who = await author();
    const done = await tested(who);
    const reader = await app.person();
    await app.share(who.token, who.projectId, reader.id, ['view', 'view_source']);
    const asReader = { ...who, token: reader.token };
    expect(await get(asReader, done.id)).toMatchObject({ state: 'done' });
    expect((await start(asReader)).status).toBe(403);
    const path = `/v1/strategies/${who.strategyId}/backtests/${done.id}`;
    expect((await app.call('DELETE', path, { token: reader.token })).status).toBe(403);
    expect((await app.call('POST', `${path}/verify`, { token: reader.token, body: {} })).status).toBe(403);
    const stranger = await app.person();
    expect((await app.call('GET', path, { token: stranger.token })).status).toBe(404);
  });

  test('is deleted and named', async () => {
    const who = await author();
    const done = await tested(who);
    const path = `/v1/strategies/${who.strategyId}/backtests/${done.id}`;
    const named = await app.call<StrategyTestView>('PATCH', path, { token: who.token, body: { name: 'First try' } });
    expect(named.body.name).toBe('First try');
    expect((await app.call('DELETE', path, { token: who.token })).status).toBe(200);
    expect((await app.call('GET', path, { token: who.token })).status).toBe(404);
  });
});

describe('code that must not get through', () => {
  test.each([
    ['throws', "if (market.count > 100) throw new Error('no luck');", /no luck/],
    ['does not end', 'for (;;) {}', /took longer|Line/],
    ['asks for the time', 'Date.now();', /no clock/],
    ['asks for chance', 'Math.random();', /random/],
    ['reaches for the process', 'process.exit(1);', /nothing but their markets|not defined/],
    ['reaches for the network', "fetch('http://127.0.0.1');", /no network|not defined/],
    [
      'makes code of text',
      "market.constructor.constructor('return process')().exit(1);",
      /Code generation|not allowed|disallowed/i,
    ],
  ])('one that %s fails with a reason', async (_name, body, reason) => {
    const who = await author();
    await write(who, 'strategy.ts', strategyOf(body));
    const settings = { ...month, from: '2026-04-01', to: '2026-04-10' };
    const failed = await tested(who, { settings, ...(body.startsWith('for') ? { parameters: {} } : {}) });
    expect(failed).toMatchObject({ state: 'failed' });
    expect(failed.reason).toMatch(reason);
  });

  test.each([
    ['the heap', 'new Array(1e6).fill(1)'],
    ['columns', 'new Float64Array(1e7).fill(1)'],
  ])('one that takes memory without end, of %s, is ended alone', async (_, part) => {
    const who = await author();
    await write(who, 'strategy.ts', strategyOf(`const all = []; for (;;) all.push(${part});`));
    const failed = await tested(who);
    expect(failed).toMatchObject({ state: 'failed' });
    expect(failed.reason).toMatch(/memory/);
  });

  test('one that looks ahead is told of', async () => {
    const who = await author();
    await write(
      who,
      'strategy.ts',
      `export default strategy({
        start({ market }) {
          const high = market.column('peak', ({ close }) => close.map((_, i) => close[Math.min(i + 5, close.length - 1)]));
          return { onBar() {
            if (high.value > market.close() && market.position === 0) market.buy({ percent: 100 });
            else if (high.value < market.close() && market.position > 0) market.closePosition();
          } };
        },
      });`,
    );
    const done = await tested(who);
    expect(done).toMatchObject({ state: 'done', look_ahead: 'failed' });
    expect(done.result?.checks.look_ahead.message).not.toBe('');
  });

  test('code that cannot be read says where', async () => {
    const who = await author();
    await write(who, 'strategy.ts', 'export default strategy({\n  start( {\n');
    expect((await described(who)).problem).not.toBeNull();
    const failed = await tested(who);
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'code' } });
    await write(who, 'main.strat', '{');
    expect((await described(who)).problem?.message).toMatch(/JSON/);
    expect((await start(who)).status).toBe(422);
    await write(who, 'main.strat', '{"format":2,"kind":"strategy"}');
    expect((await start(who)).body.message).toMatch(/newer version/);
    await write(who, 'main.strat', '{"format":1,"kind":"strategy","code":"../other.ts"}');
    expect((await start(who)).status).toBe(422);
  });

  test.each([
    [{ settings: { ...month, symbols: ['NO/USDT'] } }, 'settings.symbols'],
    [{ settings: { ...month, from: '2026-05-01', to: '2026-04-01' } }, 'settings.from'],
    [
      {
        settings: {
          ...month,
          timeframe: '1m',
          symbols: Array.from({ length: 50 }, () => 'BTC/USDT'),
          from: '2022-01-01',
        },
      },
      'settings.timeframe',
    ],
    [{ settings: { ...month, source: { type: 'file', path: 'none.csv' } } }, 'settings.source'],
    [{ settings: { ...month, source: { type: 'file', path: '../../etc/passwd' } } }, 'settings.source'],
    [{ kind: 'sweep' }, 'plan'],
  ])('settings %o are refused', async (body, field) => {
    const who = await author();
    const { status, body: answer } = await start(who, body);
    expect(status).toBe(422);
    expect(Object.keys(answer.fields)).toEqual([field]);
  });

  test('parameters that are out of range say so', async () => {
    const who = await author();
    const failed = await tested(who, { parameters: { fast: 1_000 } });
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'parameters' } });
    expect(failed.reason).toMatch(/fast must be at most 200/);
  });
});

describe('bars from a file', () => {
  const rows = (count: number, row: (index: number) => string) =>
    `time,open,high,low,close,volume\n${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;
  const first = Date.parse('2026-03-01T00:00:00Z');
  const price = (index: number) => 100 + 10 * Math.sin(index / 20);
  const good = (index: number) => {
    const [open, close] = [price(index), price(index + 1)];
    return `${new Date(first + index * 3_600_000).toISOString()},${open},${Math.max(open, close) + 1},${Math.min(open, close) - 1},${close},10`;
  };
  const settings = { ...month, source: { type: 'file', path: 'bars.csv' }, symbols: ['GOLD/USD'] };

  test('are tested on like those of an exchange', async () => {
    const who = await author();
    await write(who, 'bars.csv', rows(800, good));
    const done = await tested(who, { settings, parameters: { fast: 5, slow: 20 } });
    expect(done.reason).toBeNull();
    expect(done.result?.data).toMatchObject([{ symbol: 'GOLD/USD', rows: 800, missing_bars: 0 }]);
    expect(done.result?.trades.length).toBeGreaterThan(3);
  });

  test.each([
    ['duplicates', (index: number) => good(index === 50 ? 49 : index), /twice|duplicate|same/i],
    ['disorder', (index: number) => good(index === 50 ? 20 : index), /order|before/i],
    [
      'a high below the low',
      (index: number) =>
        index === 50 ? `${new Date(first + 50 * 3_600_000).toISOString()},100,90,95,92,1` : good(index),
      /high/i,
    ],
    [
      'what is no number',
      (index: number) =>
        index === 50 ? `${new Date(first + 50 * 3_600_000).toISOString()},x,101,99,100,1` : good(index),
      /number|NaN/i,
    ],
  ])('with %s are refused', async (_name, row, reason) => {
    const who = await author();
    await write(who, 'bars.csv', rows(200, row));
    const failed = await tested(who, { settings });
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'data' } });
    expect(failed.reason).toMatch(reason);
  });

  test('are tested from the first to the last without dates', async () => {
    const who = await author();
    const old = (index: number) => good(index).replace('2026', '2019');
    await write(who, 'bars.csv', rows(700, old));
    const done = await tested(who, { settings: { ...settings, from: null, to: null } });
    expect(done.reason).toBeNull();
    expect(done.result?.data).toMatchObject([{ rows: 700, missing_bars: 0 }]);
    expect(new Date(done.result?.series.time[0] ?? 0).getUTCFullYear()).toBe(2019);
  });

  test('of several markets are told apart by their column', async () => {
    const who = await author();
    const both = (index: number) => ['GOLD-USD', 'OIL-USD'].map((symbol) => `${symbol},${good(index)}`).join('\n');
    await write(who, 'bars.csv', `symbol,${rows(200, both)}`);
    const done = await tested(who, { settings: { ...settings, symbols: ['OIL/USD'] } });
    expect(done.reason).toBeNull();
    expect(done.result?.data).toMatchObject([{ symbol: 'OIL/USD', rows: 200, missing_bars: 0 }]);
    const other = await tested(who, { settings: { ...settings, symbols: ['TIN/USD'] } });
    expect(other.reason).toMatch('The file has no bars of TIN/USD. It has GOLD-USD, OIL-USD.');
    await write(who, 'one.csv', rows(200, good));
    const source = { type: 'file', path: 'one.csv' };
    const one = await tested(who, { settings: { ...settings, source, symbols: ['GOLD/USD', 'OIL/USD'] } });
    expect(one.reason).toMatch(/bars of one market/);
  });

  test('without the columns that are needed are refused', async () => {
    const who = await author();
    await write(who, 'bars.csv', 'a,b\n1,2\n');
    expect((await tested(who, { settings })).reason).toMatch(/no column time, open/);
  });
});

describe('a published strategy', () => {
  const publish = ({ token, strategyId }: Author, body: object = {}) =>
    app.patch<Publication & { message: string }>(token, `/v1/publications/files/${strategyId}`, {
      title: 'Crossing averages',
      access_level: 'public',
      ...body,
    });
  const catalogue = async (query: Record<string, string> = {}) =>
    (await app.call<{ entries: PublishedStrategy[]; total: number }>('GET', '/v1/strategies', { query })).body;
  const cardOf = async (id: string) => {
    await app.app.relay.settled();
    return (await catalogue({ page_size: '100' })).entries.find(({ publication }) => publication.id === id);
  };

  test('shows its newest backtest, is listed with its figures, and its code stays hidden if the author wants', async () => {
    const who = await author();
    expect((await publish(who)).status).toBe(409);
    const done = await tested(who);
    const { body: publication, status } = await publish(who, { payload: { shows_code: false } });
    expect(status, publication.message).toBe(200);
    expect(publication).toMatchObject({ content_kind: 'strategies', type: 'article' });
    const read = await app.call<{ html: string }>('GET', `/v1/publications/by_slug/${publication.slug}`);
    expect(read.body.html).toContain('Look-ahead tested');
    expect(read.body.html).toContain(done.result?.fingerprint?.result);
    expect(read.body.html).not.toContain('crossesAbove');
    await app.app.relay.settled();
    // Publishing it has it verified.
    expect(await verificationOf(who, done.id)).toMatchObject({ state: 'passed' });
    const card = await cardOf(publication.id);
    const verification = { state: 'passed' };
    expect(card).toMatchObject({ look_ahead: 'passed', verification, live: null, symbols: ['BTC/USDT'] });
    const checked = await catalogue({ only_checked: 'true', page_size: '100' });
    expect(checked.entries.map((each) => each.publication.id)).toContain(publication.id);
    expect(card?.returns.max.value).toBe(done.summary?.figures.total_return?.value);
    expect(card?.returns['30d'].value).toBeTypeOf('number');
    expect(card?.chart[0]).toBe(1);
    await publish(who, { payload: { shows_code: true } });
    const again = await app.call<{ html: string }>('GET', `/v1/publications/by_slug/${publication.slug}`);
    expect(again.body.html).toContain('crossesAbove');
    await publish(who, { execution_enabled: true });
    const bob = await app.person();
    const copy = await app.post<{ project_id: string; file_id: string }>(
      bob.token,
      `/v1/publications/${publication.id}/copy`,
    );
    const theirs = { projectId: copy.body.project_id, strategyId: copy.body.file_id };
    const rerun = await tested({ ...bob, ...theirs });
    expect(rerun.result?.fingerprint?.result).toBe(done.result?.fingerprint?.result);
  });

  test('counts what is paid in as no gain', async () => {
    const [one, other] = [await author(), await author()];
    const settings = { from: '2026-03-01', to: '2026-04-15', uses_finer_bars: false };
    // So much that a gain of it would be seen: in the middle, and on the last day.
    const deposits = ['2026-03-20', '2026-04-15'].map((at) => ({ at, amount: 10_000 }));
    await tested(one, { settings });
    const paid = await tested(other, { settings: { ...settings, deposits } });
    expect(paid.summary?.deposits).toBe(20_000);
    const [plain, withDeposits] = [(await publish(one)).body.id, (await publish(other)).body.id];
    const [before, after] = [await cardOf(plain), await cardOf(withDeposits)];
    for (const window of ['1d', '7d', '30d', 'max'] as const) {
      expect(Math.abs((after?.returns[window].value ?? 9) - (before?.returns[window].value ?? 0))).toBeLessThan(0.05);
    }
    const { body } = await app.call<PublishedStrategyDetail>('GET', `/v1/published_strategies/${withDeposits}`);
    expect(body.backtest_returns.max.value).toEqual(paid.summary?.figures.total_return);
    const [, last] = body.backtest_returns.max.chart.at(-1) ?? [];
    expect(Math.abs((last ?? 9) - 1 - (paid.summary?.figures.total_return?.value ?? 9))).toBeLessThan(0.02);
  });

  test('is not listed for others until it is public, and is sorted and filtered by what was checked', async () => {
    const [one, two] = [await author(), await author()];
    await tested(one, { parameters: { fast: 5, slow: 10 } });
    const peeking = "this.next ??= market.column('next', ({ close }) => close.map((_, row) => close[row + 1] ?? 0));";
    await write(
      two,
      'strategy.ts',
      strategyOf(`${peeking} if (this.next.value > market.close()) market.buy({ quote: 10 });`),
    );
    const looksAhead = await tested(two);
    const linked = (await publish(one, { access_level: 'link_shared' })).body;
    expect(await cardOf(linked.id)).toBeUndefined();
    await publish(one);
    const other = (await publish(two)).body;
    expect(await cardOf(linked.id)).toBeDefined();
    for (const [sort_by, window] of [
      ['total_return', 'max'],
      ['return_30d', '30d'],
      ['return_7d', '7d'],
      ['return_1d', '1d'],
    ] as const) {
      const sorted = await catalogue({ sort_by, page_size: '100' });
      const values = sorted.entries.map(({ returns }) => returns[window].value ?? 0);
      expect(values.length).toBeGreaterThan(1);
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }
    expect((await catalogue({ asset: 'btc' })).total).toBeGreaterThan(1);
    expect((await catalogue({ asset: 'ETH' })).total).toBe(0);
    expect(await verificationOf(two, looksAhead.id)).toMatchObject({
      ...{ state: 'failed', message: expect.stringMatching(/when they are handed over one by one/) },
    });
    const checked = await catalogue({ only_checked: 'true', page_size: '100' });
    expect(checked.entries.map(({ publication }) => publication.id)).not.toContain(other.id);
    expect((await catalogue({ search: 'crossing nothing' })).total).toBe(0);
  });
});
