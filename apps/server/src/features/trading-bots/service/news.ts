import { decimal } from '@atoll/trading';
import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { projects } from '../../projects/table.ts';
import { isShown } from '../../publications/service/shown.ts';
import { publications } from '../../publications/table.ts';
import { publicationPath } from '../../publications/view.ts';
import { isOfProjectOwner, publicRuns } from '../../strategies/service/public-runs.ts';
import { liveOf } from '../../strategies/service/runs.ts';
import { changesSince } from '../../strategies/service/values.ts';
import { type RunRow, strategyDecisions, strategyRuns } from '../../strategies/table.ts';
import { tradingOrders } from '../../trading/table.ts';

export interface PublicRun {
  run: RunRow;
  title: string;
  url: string;
}

const publicRunsOf = (ctx: Context) =>
  ctx.db
    .select({ run: strategyRuns, publication: publications })
    .from(strategyRuns)
    .innerJoin(
      publications,
      and(eq(publications.fileId, strategyRuns.fileId), eq(publications.contentKind, 'strategies'), isShown),
    )
    .innerJoin(projects, isOfProjectOwner);

type Found = Awaited<ReturnType<typeof publicRunsOf>>[number];
const named = (ctx: Context, { run, publication }: Found): PublicRun => ({
  run,
  title: publication.title,
  url: ctx.config.url + publicationPath(publication),
});

/** A run that everybody may know of, which of several is the one that has gone on longest; nothing is told of others. */
export async function publicRun(ctx: Context, runId: string): Promise<PublicRun | null> {
  const [row] = await publicRunsOf(ctx).where(eq(strategyRuns.id, runId));
  const { fileId } = row?.run ?? {};
  if (!row || !fileId) return null;
  const shown = (await publicRuns(ctx, [fileId])).get(fileId);
  // One that has just ended was shown until then if none has gone on for longer.
  const isShownRun = !shown || shown.id === runId || shown.startedAt > row.run.startedAt;
  return isShownRun ? named(ctx, row) : null;
}

const mostRuns = 50;

export async function goingRuns(ctx: Context): Promise<PublicRun[]> {
  const rows = await publicRunsOf(ctx)
    .where(inArray(strategyRuns.state, ['running', 'paused']))
    .orderBy(asc(strategyRuns.startedAt), asc(strategyRuns.id));
  const byFile = new Map<string | null, Found>();
  for (const row of rows) if (!byFile.has(row.run.fileId)) byFile.set(row.run.fileId, row);
  return [...byFile.values()].slice(0, mostRuns).map((row) => named(ctx, row));
}

export const percent = (value: number) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value * 100).toFixed(2)} %`;

/** What an order of a public run came to; null while it is open, or where nothing was filled. */
export async function tradeText(ctx: Context, orderId: string): Promise<{ text: string } | null> {
  const [row] = await ctx.db
    .select({ order: tradingOrders, decision: strategyDecisions })
    .from(tradingOrders)
    .innerJoin(strategyDecisions, eq(strategyDecisions.orderId, tradingOrders.id))
    .where(
      and(
        eq(tradingOrders.id, orderId),
        eq(tradingOrders.source, 'strategy'),
        inArray(tradingOrders.state, ['closed', 'canceled', 'expired']),
        gt(tradingOrders.filled, '0'),
      ),
    );
  const found = row && (await publicRun(ctx, row.decision.runId));
  if (!row || !found) return null;
  const { order, decision } = row;
  const [base, quote] = order.symbol.split('/');
  const { environment } = await liveOf(ctx, found.run);
  const price = order.average === null ? '' : ` at ${decimal(order.average).toFixed()} ${quote}`;
  // In shares: what somebody trades with is theirs to know.
  const share = Number(order.value) / Number(found.run.capital);
  const much =
    order.side === 'buy' && Number.isFinite(share) ? ` with ${(share * 100).toFixed(0)} % of its capital` : '';
  const lines = [
    `${order.side === 'buy' ? 'Bought' : 'Sold'} ${base}${price}${much}`,
    decision.decision.reason,
    `${found.title} (${environment})`,
    found.url,
  ];
  return { text: lines.filter(Boolean).join('\n') };
}

/** How each run does: since its start, and since then. */
export async function resultsText(ctx: Context, heading: string, since: Date): Promise<string | null> {
  const going = await goingRuns(ctx);
  if (going.length === 0) return null;
  const lines: string[] = [];
  for (const { run, title } of going) {
    const { environment, value } = await liveOf(ctx, run);
    const lately = await changesSince(ctx, run.id, since.getTime());
    const all = value.value === null ? 'has not decided yet' : `${percent(value.value)} since its start`;
    const part = lately === null || value.value === null ? '' : `${percent(lately)}, `;
    lines.push(`${title} (${environment}${run.state === 'paused' ? ', paused' : ''}): ${part}${all}`);
  }
  return [heading, ...lines].join('\n');
}
