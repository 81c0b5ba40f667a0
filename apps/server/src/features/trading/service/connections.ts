import {
  type ExchangeType,
  exchangeInfo,
  exchangeTypes,
  type TradingExchange,
  type TradingLimits,
} from '@atoll/contract';
import { type DemoAccount, decimal, resetAccount, usualLimits } from '@atoll/trading';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, denied, invalidField, notFound } from '../../../platform/errors.ts';
import { requireRecentSignIn } from '../../../platform/recent-sign-in.ts';
import { type ConnectionRow, exchangeConnections } from '../table.ts';
import { cancelOpen } from './cancel.ts';
import { demoStore } from './demo-store.ts';
import { lockConnections, selectConnection } from './statements.ts';

type Reader = Database | Transaction;

export const initialLimits: TradingLimits = {
  max_order: usualLimits.maxOrder,
  max_day: usualLimits.maxDay,
  max_daily_loss: usualLimits.maxDailyLoss,
  orders_per_minute: usualLimits.ordersPerMinute,
  price_distance: usualLimits.collarPercent,
  symbols: usualLimits.symbols,
};

const own = (ctx: Context) =>
  and(eq(exchangeConnections.userId, ctx.actor.userId ?? nobody), isNull(exchangeConnections.deletedAt));

/** Everyone has a demo account; it is made when it is first looked for. */
export async function ensureDemo(ctx: Context): Promise<ConnectionRow> {
  const isDemo = and(own(ctx), eq(exchangeConnections.type, 'demo'));
  const [found] = await ctx.db.select().from(exchangeConnections).where(isDemo);
  if (found) return found;
  return ctx.write(async ({ tx, emit }) => {
    const userId = ctx.actor.userId ?? nobody;
    const [made] = await tx
      .insert(exchangeConnections)
      .values({
        userId,
        type: 'demo',
        isArmed: true,
        limits: initialLimits,
        createdAt: ctx.now(),
        checkedAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (made) {
      await emit('exchange.connected', { connection_id: made.id, user_id: userId, type: 'demo' });
      return made;
    }
    const [other] = await tx.select().from(exchangeConnections).where(isDemo);
    if (!other) throw notFound('Your demo account');
    return other;
  });
}

export async function listConnections(ctx: Context): Promise<ConnectionRow[]> {
  await ensureDemo(ctx);
  return ctx.db.select().from(exchangeConnections).where(own(ctx)).orderBy(asc(exchangeConnections.createdAt));
}

export const exchangesFor = (ctx: Context, connections: readonly ConnectionRow[]): TradingExchange[] =>
  exchangeTypes.map((type) => {
    const { name, environment, isComingSoon } = exchangeInfo[type];
    const isConnected = connections.some((each) => each.type === type);
    const isAvailable = type === 'demo' || (!isComingSoon && ctx.config.trading.isConnected);
    const words = { is_coming_soon: isComingSoon, is_available: isAvailable, is_connected: isConnected };
    return { type, name, environment, ...words };
  });

/** A connection of the caller. Others' do not exist for them. */
export async function requireConnection(
  ctx: Context,
  db: Reader,
  id: string,
  permission: 'exchange.change' | 'trade.order',
  isLocked = false,
): Promise<ConnectionRow> {
  const [row] = isLocked ? await lockConnections(db, { connectionIds: [id] }) : await selectConnection(db, { id });
  return requireOwn(ctx, row, permission);
}

export function requireOwn(
  ctx: Context,
  row: ConnectionRow | undefined,
  permission: 'exchange.change' | 'trade.order',
): ConnectionRow {
  if (!row || row.userId !== ctx.actor.userId) throw notFound('This connection');
  ctx.authorize(permission, row);
  if (permission === 'trade.order') checkLiveScope(ctx, row.type);
  return row;
}

export function checkLiveScope({ actor }: Context, exchange: ExchangeType): void {
  if (!isLive(exchange)) return;
  if (actor.via === 'api_key' && !actor.keyScopes.includes('trade_live'))
    throw denied('no_permissions', 'This API key may not trade with real money. Create one that may.');
}

type Changes = Partial<typeof exchangeConnections.$inferInsert>;

export const changeConnection = (
  ctx: Context,
  id: string,
  what: string,
  change: (row: ConnectionRow, write: Write) => Changes | Promise<Changes>,
): Promise<ConnectionRow> =>
  ctx.write(async (write) => {
    const row = await requireConnection(ctx, write.tx, id, 'exchange.change', true);
    const [changed] = await write.tx
      .update(exchangeConnections)
      .set(await change(row, write))
      .where(eq(exchangeConnections.id, id))
      .returning();
    await write.emit('exchange.changed', { connection_id: id, user_id: row.userId, what });
    return changed ?? row;
  });

export const changeLimits = (
  ctx: Context,
  id: string,
  label: string | undefined,
  limits: Partial<TradingLimits> | undefined,
) =>
  changeConnection(ctx, id, 'limits', (row) => {
    const next = { ...row.limits, ...limits };
    if (row.isArmed && isLive(row.type) && !(next.max_order && next.max_day)) {
      throw invalidField('limits', 'With real money there is a limit for one order and one for a day.');
    }
    checkOrderWithinDay(next);
    if (isLive(row.type) && isRaised(row.limits, next)) requireRecentSignIn(ctx);
    return { limits: next, ...(label !== undefined && { label }) };
  });

function checkOrderWithinDay({ max_order, max_day }: TradingLimits): void {
  if (max_order !== null && max_day !== null && decimal(max_order).gt(max_day))
    throw invalidField('max_order', 'Cannot be more than the limit of a day.');
}

/** Whether anything is allowed that was not. */
function isRaised(before: TradingLimits, next: TradingLimits): boolean {
  const isMore = (one: string | number | null, other: string | number | null) =>
    one !== null && (other === null || decimal(other).gt(one));
  const amounts = ['max_order', 'max_day', 'max_daily_loss', 'orders_per_minute', 'price_distance'] as const;
  const known = before.symbols;
  return (
    amounts.some((field) => isMore(before[field], next[field])) ||
    (known !== null && (next.symbols === null || next.symbols.some((symbol) => !known.includes(symbol))))
  );
}

export const isLive = (type: ExchangeType): boolean => exchangeInfo[type].environment === 'live';

export const armConnection = (ctx: Context, id: string, limits: { max_order: string; max_day: string }) =>
  changeConnection(ctx, id, 'armed', (row) => {
    if (!isLive(row.type)) throw new AppError('conflict', 'Only connections with real money are armed.');
    for (const field of ['max_order', 'max_day'] as const) {
      if (!/[1-9]/.test(limits[field])) throw invalidField(field, 'Must be more than zero.');
    }
    requireRecentSignIn(ctx);
    const next = { ...row.limits, ...limits };
    checkOrderWithinDay(next);
    return { isArmed: true, limits: next };
  });

export const disarmConnection = (ctx: Context, id: string) =>
  changeConnection(ctx, id, 'disarmed', (row) => ({ isArmed: !isLive(row.type) }));

/** Halt trading: no more orders from this moment on, then all that are open are canceled. */
export async function haltConnection(ctx: Context, id: string, reason: string): Promise<ConnectionRow> {
  const row = await changeConnection(ctx, id, 'halted', () => ({ state: 'halted', stateReason: reason || null }));
  await cancelOpen(ctx, row);
  return row;
}

export const resumeConnection = (ctx: Context, id: string, state: 'active' | 'reducing') =>
  changeConnection(ctx, id, 'resumed', () => ({ state, stateReason: null }));

export async function resetDemo(ctx: Context, id: string): Promise<ConnectionRow> {
  const row = await requireConnection(ctx, ctx.db, id, 'exchange.change');
  if (row.type !== 'demo') throw new AppError('conflict', 'Only the demo account can be reset.');
  await cancelOpen(ctx, row);
  return changeConnection(ctx, id, 'reset', async (_row, write) => {
    await demoStore(ctx.within(write)).change(id, null, (account: DemoAccount) => resetAccount(account));
    return { day: null, dayEquity: null };
  });
}

export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  const row = await requireConnection(ctx, ctx.db, id, 'exchange.change');
  if (row.type === 'demo') throw new AppError('conflict', 'The demo account stays. You can reset it.');
  await haltConnection(ctx, id, 'The connection is being deleted');
  await ctx.write(async ({ tx, emit }) => {
    await tx
      .update(exchangeConnections)
      .set({ deletedAt: ctx.now(), sealedKey: null, sealId: null })
      .where(eq(exchangeConnections.id, row.id));
    await emit('exchange.disconnected', { connection_id: row.id, user_id: row.userId });
  });
}
