import { type DayValue, decimal, sliceCandles } from '@atoll/trading';
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { dataOf } from '../../trading/service/exchanges.ts';
import { type EntryRow, type PortfolioRow, portfolioDays, portfolios } from '../table.ts';
import { type Held, heldIn, manualAmounts, pricesOf, totalOf } from './holdings.ts';

const dayMs = 86_400_000;
const mostDays = 1_825;
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Paid in less paid out, in the trade asset. A purchase that nothing there paid for was paid in as well. */
function flowOf(entries: readonly EntryRow[], before: ReadonlyMap<string, string>, tradeAsset: string): number {
  let cash = decimal(before.get(tradeAsset) ?? 0);
  let flow = decimal(0);
  for (const { kind, asset, amount, price, fee } of entries) {
    const value = decimal(amount).times(price);
    if (kind === 'deposit') flow = flow.plus(value);
    if (kind === 'withdrawal') flow = flow.minus(value);
    if (asset === tradeAsset && kind === 'deposit') cash = cash.plus(amount);
    if (asset === tradeAsset && kind === 'withdrawal') cash = cash.minus(amount);
    if (kind === 'sell') cash = cash.plus(value).minus(fee);
    if (kind === 'buy') cash = cash.minus(value).minus(fee);
    if (cash.lt(0)) {
      if (kind === 'buy') flow = flow.minus(cash);
      cash = decimal(0);
    }
  }
  return Number(flow.toFixed());
}

/** One made by hand is valued back to its first entry, with the prices of each day. */
async function rebuilt(ctx: Context, { exchange, tradeAsset }: PortfolioRow, entries: EntryRow[]): Promise<DayValue[]> {
  const [first] = entries;
  if (!first) return [];
  const today = startOf(dayOf(ctx.now()));
  const begin = Math.max(startOf(dayOf(first.at)), today - mostDays * dayMs);
  const assets = [...new Set(entries.map(({ asset }) => asset))].filter((asset) => asset !== tradeAsset);
  const closes = new Map<string, Map<number, number>>();
  for (const asset of assets) {
    const count = (today - begin) / dayMs + 1;
    const candles = await dataOf(ctx, exchange)
      .candles(`${asset}/${tradeAsset}`, '1d', ctx.now().getTime(), count)
      .catch(() => null);
    const whole = candles ? sliceCandles(candles, 0) : null;
    closes.set(asset, new Map(whole ? [...whole.time].map((time, index) => [time, whole.close[index] ?? 0]) : []));
  }
  const days: DayValue[] = [];
  const last = new Map<string, number>();
  for (let day = begin; day <= today; day += dayMs) {
    const until = entries.filter(({ at }) => at.getTime() < day + dayMs);
    const before = entries.filter(({ at }) => at.getTime() < day);
    const flow = flowOf(until.slice(before.length), manualAmounts(before, tradeAsset), tradeAsset);
    let equity = 0;
    for (const [asset, amount] of manualAmounts(until, tradeAsset)) {
      const close = asset === tradeAsset ? 1 : (closes.get(asset)?.get(day) ?? last.get(asset) ?? 0);
      last.set(asset, close);
      equity += Number(amount) * close;
    }
    days.push({ day, equity, flow });
  }
  return days;
}

/** The days of a portfolio, the last one as it is now, and what it began with. */
export async function daysOf(
  ctx: Context,
  portfolio: PortfolioRow,
  held: Held,
  total: string,
): Promise<{ start: number; days: DayValue[] }> {
  if (held.connections.length === 0) return { start: 0, days: await rebuilt(ctx, portfolio, held.entries) };
  const rows = await ctx.db
    .select()
    .from(portfolioDays)
    .where(eq(portfolioDays.projectId, portfolio.projectId))
    .orderBy(asc(portfolioDays.day));
  const today = dayOf(ctx.now());
  const days = rows
    .filter(({ day }) => day < today)
    .map(({ day, equity, flow }): DayValue => ({ day: startOf(day), equity: Number(equity), flow: Number(flow) }));
  days.push({ day: startOf(today), equity: Number(total), flow: flowOfDay(held.entries, today, portfolio.tradeAsset) });
  return { start: Number(portfolio.startEquity), days };
}

const flowOfDay = (entries: EntryRow[], day: string, tradeAsset: string): number => {
  const before = entries.filter(({ at }) => dayOf(at) < day);
  return flowOf(
    entries.filter(({ at }) => dayOf(at) === day),
    manualAmounts(before, tradeAsset),
    tradeAsset,
  );
};

/** Shortly after midnight: what each portfolio was worth at the end of the day. */
export const closeDayJob = defineJob({
  kind: 'portfolios.close_day',
  payload: z.object({}),
  concurrency: 1,
  async run({ ctx }) {
    const day = dayOf(new Date(ctx.now().getTime() - dayMs));
    for (const portfolio of await ctx.db.select().from(portfolios)) {
      const held = await heldIn(ctx, portfolio);
      // What cannot be read is no loss: the day is left out.
      if (held.connections.length === 0 || held.problems.length > 0) continue;
      const priceOf = await pricesOf(ctx, portfolio.exchange, portfolio.tradeAsset);
      const equity = totalOf(held.amounts, priceOf);
      const flow = String(flowOfDay(held.entries, day, portfolio.tradeAsset));
      await ctx.write(({ tx }) =>
        tx.insert(portfolioDays).values({ projectId: portfolio.projectId, day, equity, flow }).onConflictDoNothing(),
      );
    }
  },
});
export const closeDaySchedule = { cron: '2 0 * * *', job: closeDayJob, payload: {} };
