import { ExchangeBusy, ExchangeRefusal, ExchangeUnclear, type OrderReport, type OrderRequest } from '@atoll/trading';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/db/columns.ts';
import type { Database } from '../../platform/db/database.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { initialLimits } from './service/connections.ts';
import { reconcile } from './service/reconcile.ts';
import { sendJob } from './service/send.ts';
import { tradingWorker } from './service/worker-client.ts';
import { exchangeConnections, tradingFills, tradingOrders } from './table.ts';

/** Thrown at the moment of a life's end: from then on it neither stores nor sends anything. */
class Killed extends Error {}

/** Steps from one to the next at which a server can be killed; null: it lives on. */
interface Life {
  stepsLeft: number | null;
  isOver: boolean;
}
let life: Life = { stepsLeft: null, isOver: false };
function step(): void {
  if (life.stepsLeft !== null && life.stepsLeft-- === 0) life.isOver = true;
  if (life.isOver) throw new Killed();
}

const outcomes = ['filled', 'resting', 'refused', 'unclear', 'lost', 'busy'] as const;
type Outcome = (typeof outcomes)[number];

/** As Binance: an id that is not open any more is taken again. */
class Exchange {
  readonly taken = new Map<string, number>();
  readonly reports = new Map<string, OrderReport>();
  readonly outcomes = new Map<string, Outcome>();

  place(request: OrderRequest): OrderReport {
    const outcome = this.outcomes.get(request.clientId);
    if (outcome === 'refused') throw new ExchangeRefusal('-2010', 'Account has insufficient balance');
    if (outcome === 'lost') throw new ExchangeUnclear('The connection was closed');
    if (outcome === 'busy') {
      this.outcomes.set(request.clientId, 'filled');
      throw new ExchangeBusy(0, 'Too many requests');
    }
    this.taken.set(request.clientId, (this.taken.get(request.clientId) ?? 0) + 1);
    const isFilled = outcome !== 'resting';
    const fill = {
      id: `${request.clientId} 1`,
      amount: request.amount,
      price: '50000',
      fee: '0',
      feeAsset: 'BTC',
      at: 1,
    };
    const report: OrderReport = {
      ...{ ...request, exchangeId: request.clientId, reason: null, at: 1 },
      ...{
        state: isFilled ? 'closed' : 'open',
        filled: isFilled ? request.amount : '0',
        fills: isFilled ? [fill] : [],
      },
    };
    this.reports.set(request.clientId, report);
    if (outcome === 'unclear') throw new ExchangeUnclear('The answer never came');
    return report;
  }

  answer(method: string, [first]: unknown[]): unknown {
    if (method === 'place') return this.place(first as OrderRequest);
    if (method === 'find') return this.reports.get(first as string) ?? null;
    if (method === 'openOrders') return [...this.reports.values()].filter(({ state }) => state === 'open');
    throw new Error(`Asked for ${method}`);
  }
}

let app: TestApp;
let ctx: Context;
const exchange = new Exchange();
const connectionId = newId();

beforeAll(async () => {
  app = await createTestApp({ keepOpen: true });
  // Its transactions are steps: before they begin, before they are committed, and after.
  const db = new Proxy(app.database.db, {
    get(target, key) {
      if (key !== 'transaction') return Reflect.get(target, key);
      return async (work: Parameters<Database['transaction']>[0], ...rest: []) => {
        step();
        const result = await target.transaction(
          async (tx) => {
            const done = await work(tx);
            step();
            return done;
          },
          ...rest,
        );
        step();
        return result;
      };
    },
  });
  const env = { ATOLL_EXCHANGES: 'on' };
  const doomed = await createTestApp({
    keepOpen: true,
    env,
    beside: { database: { ...app.database, db }, clock: app.clock },
  });
  ctx = doomed.app.system();
  tradingWorker(ctx).call = async (_call, method, args) => {
    step();
    const value = await (async () => exchange.answer(method, args))().finally(step);
    return value as never;
  };
  const { id } = await app.person();
  await app.database.db.insert(exchangeConnections).values({
    ...{ id: connectionId, userId: id, type: 'binance_testnet', sealedKey: 'sealed', sealId: 'seal', isArmed: true },
    ...{ limits: initialLimits, createdAt: ctx.now(), checkedAt: ctx.now() },
  });
  return async () => {
    life = { stepsLeft: null, isOver: false };
    await doomed.close();
    await app.close();
  };
});

/** Answers whether it ended by itself, and not by being killed or with a failure that is tried again. */
async function live(orderId: string, stepsLeft: number | null): Promise<boolean> {
  life = { stepsLeft, isOver: false };
  const job = { ctx, payload: { order_id: orderId }, write: ctx.write.bind(ctx) };
  try {
    await sendJob.run(job as unknown as Parameters<typeof sendJob.run>[0]);
    return !life.isOver;
  } catch {
    return false;
  } finally {
    life = { stepsLeft: null, isOver: false };
  }
}

/** Marking it, sending it and storing the answer are three, two and three steps; asking for it takes five. */
const [firstSteps, secondSteps] = [9, 6];

test('orders of every outcome, killed at every step and again at every step after: each is there once at most, and known for what it is', async () => {
  const [connection] = await app.database.db
    .select()
    .from(exchangeConnections)
    .where(eq(exchangeConnections.id, connectionId));
  if (!connection) throw new Error('no connection');
  const count = outcomes.length * firstSteps * secondSteps;
  const rows = Array.from({ length: count }, (_, index) => {
    const id = newId();
    exchange.outcomes.set(id, outcomes[index % outcomes.length] as Outcome);
    return {
      ...({ id, userId: connection.userId, connectionId, clientId: id, source: 'person', symbol: 'BTC/USDT' } as const),
      ...({ side: 'buy', type: 'market', amount: '0.001', value: '50', state: 'formed' } as const),
    };
  });
  let killed = 0;
  for (const [index, row] of rows.entries()) {
    const { id } = row;
    const now = ctx.now();
    await app.database.db.insert(tradingOrders).values({ ...row, createdAt: now, updatedAt: now });
    const turn = Math.floor(index / outcomes.length);
    if (!(await live(id, turn % firstSteps))) killed++;
    if (!(await live(id, Math.floor(turn / firstSteps) % secondSteps))) killed++;
    for (let attempt = 0; !(await live(id, null)); attempt++) {
      if (attempt === 10) throw new Error('An order is never finished');
      app.clock.advance(20_000);
    }
  }
  await reconcile(ctx, connection);

  expect(killed).toBeGreaterThan(count);
  expect([...exchange.taken.values()].filter((times) => times > 1)).toEqual([]);
  const stored = await app.database.db.select().from(tradingOrders);
  expect(stored).toHaveLength(count);
  const wrong = stored.filter(({ clientId, state }) => {
    const there = exchange.reports.get(clientId);
    return there ? state !== there.state : state !== 'rejected';
  });
  expect(wrong).toEqual([]);
  const states = Map.groupBy(stored, ({ state }) => state);
  expect([...states.keys()].sort()).toEqual(['closed', 'open', 'rejected']);
  const fills = await app.database.db.select().from(tradingFills);
  expect(fills).toHaveLength(states.get('closed')?.length ?? 0);
});
