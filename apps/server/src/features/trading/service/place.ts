import type { TradingOrder } from '@atoll/contract';
import {
  clientIdOf,
  type DemoOrder,
  decimal,
  type ExchangeAccount,
  ExchangeRefusal,
  type KnownOrder,
  mergeReport,
  type OrderRequest,
  reckonedPrice,
} from '@atoll/trading';
import { eq } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { assertOutsideTransaction } from '../../../platform/db/transaction-scope.ts';
import { AppError, requestReused } from '../../../platform/errors.ts';
import { type ConnectionRow, exchangeConnections, type OrderRow } from '../table.ts';
import { viewOrder } from '../view.ts';
import { Batches } from './batches.ts';
import { requireOwn } from './connections.ts';
import { type DemoBalances, demoStore, openAccount } from './demo-store.ts';
import { accountOf } from './exchanges.ts';
import {
  type Counts,
  dayOf,
  dependsOnOwned,
  type OrderInput,
  problemOf,
  requestOf,
  type Situation,
  situationOf,
  timesOf,
} from './gate.ts';
import { columnsOf, publishOrder } from './journal.ts';
import { sendJob } from './send.ts';
import {
  begin,
  lockConnections,
  lockDemoAccounts,
  readConnections,
  selectByRequest,
  storeOrders,
} from './statements.ts';

/** An order on its way to the journal, in the name of whoever placed it. */
interface Placing {
  ctx: Context;
  input: OrderInput & { request_id: string };
  source: TradingOrder['source'];
  id: string;
  request: OrderRequest;
  /** Null until it is known whether more than the market has to be asked for. */
  situation: Situation | null;
}

interface Placed {
  connection: ConnectionRow;
  /** Null where the situation has to be asked for first, outside of the transaction. */
  order: OrderRow | null;
}

/** Orders that come while others are being stored are stored together after them: the database works by statement, not by row. */
const batches = appState((system) => new Batches((all: Placing[]) => placeTogether(system, all)));

export async function placeOrder(
  ctx: Context,
  given: OrderInput & { request_id: string },
  source: TradingOrder['source'] = 'person',
): Promise<TradingOrder> {
  // As the database writes them, with which they are compared here.
  const [connection_id, request_id] = [given.connection_id.toLowerCase(), given.request_id.toLowerCase()];
  const input = { ...given, connection_id, request_id };
  // It would wait for a batch that may wait for what the transaction has locked.
  assertOutsideTransaction();
  const id = newId();
  const placing = { ctx, input, source, id, request: requestOf(input, clientIdOf(id)), situation: null };
  const { add } = batches(ctx);
  let placed = await add(placing);
  if (!placed.order) {
    placed = await add({ ...placing, situation: await situationOf(ctx, placed.connection, input.symbol) });
  }
  return viewOrder(placed.order as OrderRow, placed.connection.type);
}

/** A connection, locked, and what the orders of the batch have made of it so far. */
interface Locked {
  connection: ConnectionRow;
  counts: Counts;
  /** Null before the account is opened. */
  balances: DemoBalances | null;
  demoOrders: Map<string, DemoOrder>;
}

/** What one statement stores at the end. */
interface Stored {
  orders: OrderRow[];
  fills: object[];
  balances: Map<string, DemoBalances>;
  demoOrders: Map<string, { connectionId: string; order: DemoOrder }>;
}

/** Each is refused or accepted for itself, one after the other; what is accepted is stored together. */
function placeTogether(system: Context, all: Placing[]): Promise<PromiseSettledResult<Placed>[]> {
  return system.write(async (write) => {
    const { connections, sent } = await lockAll(system, write, all);
    const stored: Stored = { orders: [], fills: [], balances: new Map(), demoOrders: new Map() };
    const outcomes: PromiseSettledResult<Placed>[] = [];
    for (const placing of all) {
      let checked: Checked;
      try {
        checked = await check(placing, connections.get(placing.input.connection_id), sent);
      } catch (reason) {
        outcomes.push({ status: 'rejected', reason });
        continue;
      }
      const { locked, situation } = checked;
      const order = situation ? await accept(write, placing, locked, situation, stored) : checked.order;
      if (order) sent.set(keyOf(order.userId, order.requestId), order);
      outcomes.push({ status: 'fulfilled', value: { connection: locked.connection, order } });
    }
    if (stored.orders.length > 0) {
      const balances = [...stored.balances].map(([connectionId, owned]) => ({ connectionId, balances: owned }));
      begin(write, storeOrders({ ...stored, balances, demoOrders: [...stored.demoOrders.values()] }));
    }
    return outcomes;
  });
}

const keyOf = (userId: string | null, requestId: string | null) => `${userId} ${requestId}`;

/** Asked at once and done in this order. Orders of one connection come one after the other: what the gate counts is exact. */
async function lockAll(system: Context, { tx }: Write, all: Placing[]) {
  const connectionIds = [...new Set(all.map(({ input }) => input.connection_id))];
  const userIds = all.map(({ ctx }) => ctx.actor.userId);
  const requestIds = all.map(({ input }) => input.request_id);
  const [rows, accounts, facts, sent] = await Promise.all([
    lockConnections(tx, { connectionIds }),
    lockDemoAccounts(tx, { connectionIds }),
    tx.execute(readConnections({ connectionIds, ...timesOf(system) })).execute(),
    selectByRequest(tx, { userIds, requestIds }),
  ]);
  const balancesOf = new Map(accounts.map(({ connectionId, balances }) => [connectionId, balances]));
  const factsOf = new Map(
    rowsOf<Counts & { id: string; demoOrders: DemoOrder[] }>(facts).map((found) => [found.id, found]),
  );
  const connections = new Map<string, Locked>();
  for (const connection of rows) {
    const { id } = connection;
    const { today = '0', lastMinute = 0, demoOrders = [] } = factsOf.get(id) ?? {};
    const open = new Map(demoOrders.map((order) => [order.clientId, order]));
    const balances = balancesOf.get(id) ?? null;
    connections.set(id, { connection, counts: { today, lastMinute }, balances, demoOrders: open });
  }
  return { connections, sent: new Map(sent.map((order) => [keyOf(order.userId, order.requestId), order])) };
}

interface Checked {
  locked: Locked;
  /** The order that the same request made. */
  order: OrderRow | null;
  /** Null where nothing is to be placed now. */
  situation: Situation | null;
}

/** Changes nothing: what it throws is of this order alone. */
async function check(
  { ctx, input, request, situation: known }: Placing,
  found: Locked | undefined,
  sent: ReadonlyMap<string, OrderRow>,
): Promise<Checked> {
  const connection = requireOwn(ctx, found?.connection, 'trade.order');
  const locked = found as Locked;
  const order = sent.get(keyOf(ctx.actor.userId, input.request_id)) ?? null;
  if (order && !isOrderOf(order, connection, request)) throw requestReused();
  const isKnown = known !== null || (connection.type === 'demo' && !dependsOnOwned(connection));
  if (order || !isKnown) return { locked, order, situation: null };
  // The demo's market is in memory.
  const situation = known ?? (await situationOf(ctx, connection, input.symbol));
  const problem = problemOf(ctx, withDay(ctx, connection, situation), request, situation, locked.counts);
  if (!problem) return { locked, order, situation };
  throw new AppError('unprocessable_entity', problem.message, {
    fields: { [problem.field]: [problem.message] },
    details: { code: problem.code },
  });
}

function isOrderOf(order: OrderRow, { id }: ConnectionRow, request: OrderRequest): boolean {
  const isSame = (one: string | null, other: string | null) =>
    one === null || other === null ? one === other : decimal(one).eq(other);
  return (
    order.connectionId === id &&
    order.symbol === request.symbol &&
    order.side === request.side &&
    order.type === request.type &&
    isSame(order.amount, request.amount) &&
    isSame(order.price, request.price) &&
    isSame(order.stopPrice, request.stopPrice)
  );
}

/** The value of a day is that of its first order: what is lost is reckoned from there. */
function withDay(ctx: Context, connection: ConnectionRow, { equity }: Situation): ConnectionRow {
  const day = dayOf(ctx.now());
  return equity === null || connection.day === day ? connection : { ...connection, day, dayEquity: equity };
}

async function accept(
  write: Write,
  { ctx, input, source, id, request }: Placing,
  locked: Locked,
  situation: Situation,
  stored: Stored,
): Promise<OrderRow> {
  const connection = withDay(ctx, locked.connection, situation);
  const { id: connectionId, userId, type, day, dayEquity } = connection;
  if (connection !== locked.connection) {
    locked.connection = connection;
    const isConnection = eq(exchangeConnections.id, connectionId);
    await write.tx.update(exchangeConnections).set({ day, dayEquity }).where(isConnection);
  }
  const known = type === 'demo' ? await placeOnDemo(demoOf(ctx, write, locked, stored), request) : formed(request);
  const now = ctx.now();
  const order: OrderRow = {
    ...{ ...request, ...columnsOf(known), id, source, userId, connectionId },
    ...{ requestId: input.request_id, sentAt: null, absences: 0, createdAt: now, updatedAt: now },
    value: decimal(request.amount).times(reckonedPrice(request, situation.ticker.last)).toFixed(),
  };
  stored.orders.push(order);
  stored.fills.push(...known.fills.map((fill) => ({ ...fill, orderId: id })));
  const { counts } = locked;
  counts.lastMinute++;
  if (known.state !== 'rejected') counts.today = decimal(counts.today).plus(order.value).toFixed();
  if (known.state === 'formed') {
    await write.enqueue(sendJob, { order_id: id }, { key: id, ownerId: userId, priority: 10 });
  }
  await publishOrder({ ...write, emit: (name, payload) => write.emit(name, payload, ctx) }, order, connection);
  return order;
}

const formed = ({ amount }: OrderRequest): KnownOrder => ({
  ...{ state: 'formed', exchangeId: null, amount, filled: '0', fills: [], reason: null },
});

/** The account as it is within the batch. It is read as a copy: what the demo refuses half-way has changed nothing. */
function demoOf(ctx: Context, write: Write, locked: Locked, stored: Stored): ExchangeAccount {
  const within = ctx.within(write);
  const store = demoStore(
    within,
    async (tx, connectionId) => {
      locked.balances ??= await openAccount(tx, connectionId);
      return structuredClone({ balances: locked.balances, orders: [...locked.demoOrders.values()] });
    },
    (_, connectionId, { balances, orders }) => {
      if (balances) {
        locked.balances = balances;
        stored.balances.set(connectionId, balances);
      }
      for (const order of orders) {
        locked.demoOrders.set(order.clientId, order);
        stored.demoOrders.set(`${connectionId} ${order.clientId}`, { connectionId, order });
      }
    },
  );
  return accountOf(within, locked.connection, store);
}

/** The demo keeps its accounts in this database, so order and outcome are stored together. */
async function placeOnDemo(account: ExchangeAccount, request: OrderRequest): Promise<KnownOrder> {
  try {
    return mergeReport(formed(request), await account.place(request));
  } catch (error) {
    if (!(error instanceof ExchangeRefusal)) throw error;
    return { ...formed(request), state: 'rejected', reason: error.message };
  }
}
