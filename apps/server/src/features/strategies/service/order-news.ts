import type { LiveFill, LiveState } from '@atoll/trading/backtest/live/live-types';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { exchangeConnections, tradingFills, tradingOrders } from '../../trading/table.ts';
import { strategyDecisions, strategyRuns } from '../table.ts';
import { receivedOf } from './books.ts';
import { advanceKind } from './decisions.ts';

/** What became of the orders it knows as open. */
export async function newsOf(
  ctx: Context,
  state: LiveState | null,
  step: (symbol: string) => number,
): Promise<{ fills: LiveFill[]; ended: string[] }> {
  const open = state?.orders ?? [];
  const [fills, ended]: [LiveFill[], string[]] = [[], []];
  if (open.length === 0) return { fills, ended };
  const rows = await ctx.db
    .select({ decision: strategyDecisions, order: tradingOrders })
    .from(strategyDecisions)
    .leftJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(
      inArray(
        strategyDecisions.id,
        open.map(({ placing }) => placing.id),
      ),
    );
  const orderIds = rows.flatMap(({ order }) => order?.id ?? []);
  const all = orderIds.length
    ? await ctx.db.select().from(tradingFills).where(inArray(tradingFills.orderId, orderIds))
    : [];
  for (const { placing, filled } of open) {
    const found = rows.find(({ decision }) => decision.id === placing.id);
    if (!found) continue;
    const { decision, order } = found;
    const parts = all.filter(({ orderId }) => orderId === order?.id);
    const [, quote = ''] = placing.symbol.split('/');
    // All of it as one fill at the mean price; of one that was told in part, the rest. A fee in a third asset is nothing
    // that the strategy has.
    const fee = parts.filter(({ feeAsset }) => feeAsset === quote).reduce((sum, part) => sum + Number(part.fee), 0);
    const received = receivedOf(placing.side, placing.symbol, parts, step(placing.symbol));
    const value = parts.reduce((sum, { amount, price }) => sum + Number(amount) * Number(price), 0);
    const amount = received - filled;
    if (amount > 1e-12) {
      fills.push({
        order: placing.id,
        amount,
        price: value / received,
        fee: (fee * amount) / received,
        time: Math.max(...parts.map(({ at }) => at.getTime())),
      });
    }
    const isOver = order !== null && order.state !== 'formed' && order.state !== 'open';
    if (decision.state === 'refused' || isOver) ended.push(placing.id);
  }
  return { fills, ended };
}

/** A run knows what it received: a fee in the asset itself was taken from it. */
const afterFees = '0.99';

/** Runs whose orders were filled or ended without their knowing: the stop of a purchase must not wait for the next bar. */
export const runsWithOrderChanges = (ctx: Context): Promise<{ id: string; ownerId: string }[]> =>
  ctx.db
    .selectDistinct({ id: strategyRuns.id, ownerId: strategyRuns.ownerId })
    .from(strategyRuns)
    .innerJoin(
      sql`jsonb_array_elements(coalesce(${strategyRuns.memory} -> 'orders', '[]')) as known`,
      eq(strategyRuns.state, 'running'),
    )
    .innerJoin(strategyDecisions, sql`${strategyDecisions.id} = known #>> '{placing,id}'`)
    .leftJoin(tradingOrders, eq(tradingOrders.id, strategyDecisions.orderId))
    .where(
      sql`${strategyDecisions.state} = 'refused' or ${tradingOrders.state} not in ('formed', 'open')
        or ${tradingOrders.filled} * ${afterFees}::numeric > (known ->> 'filled')::numeric`,
    );

/** The demo fills what it can at once; another exchange tells of it later. */
export async function orderChanged(ctx: Context, orderId: string): Promise<void> {
  const [run] = await ctx.db
    .select({ id: strategyRuns.id, ownerId: strategyRuns.ownerId })
    .from(strategyDecisions)
    .innerJoin(strategyRuns, eq(strategyRuns.id, strategyDecisions.runId))
    .innerJoin(exchangeConnections, eq(exchangeConnections.id, strategyRuns.connectionId))
    .where(
      and(
        eq(strategyDecisions.orderId, orderId),
        eq(strategyRuns.state, 'running'),
        ne(exchangeConnections.type, 'demo'),
      ),
    );
  if (!run) return;
  const { id, ownerId } = run;
  await ctx.write(({ enqueue }) => enqueue(advanceKind, { run_id: id }, { key: id, ownerId, runsAgain: true }));
}
