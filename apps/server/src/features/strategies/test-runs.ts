import { Readable } from 'node:stream';
import type {
  ExchangeConnection,
  Publication,
  StrategyDecision,
  StrategyRunView,
  StrategyTestView,
} from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Write } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import type { TestApp } from '../../test/test-app.ts';
import { files } from '../files/table.ts';
import { tradingOrders } from '../trading/table.ts';
import { advanceJob } from './service/advance.ts';

const minute = 60_000;
/** Buys at one bar and sells at the next, for ever. */
export const swing = `export default strategy({
  start({ market, state }) {
    return { onBar() {
      state.bars = (state.bars ?? 0) + 1;
      if (market.position === 0) market.buy({ quote: 100, reason: 'bar ' + state.bars });
      else market.closePosition('bar ' + state.bars);
    } };
  },
});`;

/** Buys at every bar, and never sells. */
export const onlyBuys = `export default strategy({
  start({ market }) { return { onBar() { market.buy({ quote: 100 }); } }; },
});`;
export const swingInPython = `from atoll_strategy import Strategy

class Swing(Strategy):
    def on_bar(self):
        self.state["bars"] = self.state.get("bars", 0) + 1
        if self.market.position == 0:
            self.market.buy(quote=100, reason=f"bar {self.state['bars']}")
        else:
            self.market.close_position(f"bar {self.state['bars']}")
`;

export interface Runner {
  id: string;
  projectId: string;
  token: string;
  strategyId: string;
  connectionId: string;
}

class Killed extends Error {}

/** People with strategies, and the steps of their runs as the queue would take them. */
export function strategyRunner(app: TestApp) {
  async function runner(code = swing): Promise<Runner> {
    const { id, token } = await app.person();
    const isPython = code.includes('atoll_strategy');
    const template = isPython ? { template: 'strategy-grid-python' } : { kind: 'strategy', create_main_file: true };
    const project = await app.project(token, template);
    const ctx = app.app.system();
    const { sha256, size } = await ctx.blobs.put(Readable.from([Buffer.from(code)]), 1_000_000);
    await ctx.db
      .update(files)
      .set({ blob: sha256, size })
      .where(and(eq(files.projectId, project.id), eq(files.path, isPython ? 'strategy.py' : 'strategy.ts')));
    const { body } = await app.call<{ entries: ExchangeConnection[] }>('GET', '/v1/exchange_connections', { token });
    return {
      id,
      token,
      projectId: project.id,
      strategyId: project.default_file_id ?? '',
      connectionId: body.entries[0]?.id ?? '',
    };
  }

  const begin = ({ token, strategyId, connectionId }: Runner, body: object = {}) =>
    app.post<StrategyRunView & { message: string }>(token, `/v1/strategies/${strategyId}/runs`, {
      ...{ connection_id: connectionId, request_id: newId(), capital: 1_000 },
      settings: { symbols: ['BTC/USDT'], timeframe: '1m' },
      ...body,
    });
  const runOf = async ({ token, strategyId }: Runner): Promise<StrategyRunView> => {
    const { body } = await app.get<{ entries: StrategyRunView[] }>(token, `/v1/strategies/${strategyId}/runs`);
    return body.entries[0] as StrategyRunView;
  };
  const change = ({ token, strategyId }: Runner, runId: string, body: object) =>
    app.patch<StrategyRunView & { message: string }>(token, `/v1/strategies/${strategyId}/runs/${runId}`, body);
  const decisionsOf = async ({ token, strategyId }: Runner, runId: string) =>
    (
      await app.get<{ entries: StrategyDecision[] }>(token, `/v1/strategies/${strategyId}/runs/${runId}/decisions`, {
        page_size: '100',
      })
    ).body.entries;
  const ordersOf = async ({ connectionId }: Runner) =>
    app.database.db.select().from(tradingOrders).where(eq(tradingOrders.connectionId, connectionId));

  /** One step as the queue would take it; `isKilled` ends it before or after what it writes first, or is what happens before that. */
  async function step(runId: string, isKilled?: 'before' | 'after' | (() => Promise<unknown>)): Promise<void> {
    const ctx = app.app.system();
    const write = async <Result>(work: (write: Write) => Promise<Result>): Promise<Result> => {
      if (isKilled === 'before') throw new Killed();
      if (typeof isKilled === 'function') await isKilled();
      const result = await ctx.write(work);
      if (isKilled === 'after') throw new Killed();
      return result;
    };
    await advanceJob
      .run({
        ctx,
        payload: { run_id: runId },
        write,
        finish: write,
        signal: new AbortController().signal,
      } as unknown as Parameters<typeof advanceJob.run>[0])
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
  }
  const nextBar = () => {
    app.clock.time += minute;
  };
  const atNextBar = (runId: string) => {
    nextBar();
    return step(runId);
  };
  /** Somebody whose strategy runs. */
  async function running(code?: string, body?: object) {
    const who = await runner(code);
    return { who, run: (await begin(who, body)).body };
  }

  /** A backtest of a few days, and what is published of it. */
  async function publish({ token, strategyId }: Runner, title = 'Swing'): Promise<Publication> {
    const path = `/v1/strategies/${strategyId}/backtests`;
    const settings = { from: '2026-03-01', to: '2026-03-08', timeframe: '1h', uses_finer_bars: false };
    const { body: begun } = await app.post<StrategyTestView>(token, path, { request_id: newId(), settings });
    const state = async () => (await app.call<StrategyTestView>('GET', `${path}/${begun.id}`, { token })).body.state;
    await expect.poll(state).not.toMatch(/queued|running/);
    const { body, status } = await app.patch<Publication & { message: string }>(
      token,
      `/v1/publications/files/${strategyId}`,
      { title, access_level: 'public', payload: { shows_code: false } },
    );
    expect(status, body.message).toBe(200);
    await app.app.relay.settled();
    return body;
  }

  return { runner, begin, runOf, change, decisionsOf, ordersOf, step, nextBar, atNextBar, running, publish };
}
