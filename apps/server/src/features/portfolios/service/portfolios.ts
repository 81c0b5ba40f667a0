import {
  type EndpointFields,
  type EndpointInput,
  exchangeInfo,
  type PortfolioDetail,
  type PortfolioHolding,
  type PortfolioMeta,
  type PortfolioMetric,
  type PortfolioSummary,
  portfolioSection,
} from '@atoll/contract';
import {
  dailyReturns,
  decimal,
  type Metric,
  maxDrawdown,
  sharpe,
  sharpeError,
  sum,
  volatility,
  windowReturn,
} from '@atoll/trading';
import { eq, inArray } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { type ProjectAccess, requireProject } from '../../projects/service/access.ts';
import { createProject } from '../../projects/service/create.ts';
import { listProjects } from '../../projects/service/list.ts';
import { loadPerson } from '../../projects/service/relations.ts';
import type { ProjectRow } from '../../projects/table.ts';
import { valueQuote } from '../../trading/service/balances.ts';
import { requireConnection } from '../../trading/service/connections.ts';
import { type EntryRow, type PortfolioRow, portfolioConnections, portfolioDays, portfolios } from '../table.ts';
import { dayOf, daysOf } from './days.ts';
import { heldIn, pricesOf, totalOf } from './holdings.ts';

type PortfolioPermission = 'portfolio.view' | 'portfolio.edit' | 'portfolio.trade';

export interface FoundPortfolio extends ProjectAccess {
  portfolio: PortfolioRow;
}

/** A project that is a portfolio; who cannot see the project learns nothing. */
export async function requirePortfolio(
  ctx: Context,
  id: string,
  permission: PortfolioPermission,
): Promise<FoundPortfolio> {
  const access = await requireProject(
    ctx,
    ctx.db,
    id,
    permission === 'portfolio.view' ? 'project.view' : 'project.edit',
  );
  const [portfolio] = await ctx.db.select().from(portfolios).where(eq(portfolios.projectId, id));
  if (!portfolio || access.project.deletedAt) throw notFound('This portfolio');
  ctx.authorize(permission, access);
  return { ...access, portfolio };
}

const metric = ({ value, reason }: Metric): PortfolioMetric => ({ value, reason: reason ?? null });

export async function viewPortfolio(
  ctx: Context,
  { project, portfolio, abilities }: FoundPortfolio,
): Promise<PortfolioDetail> {
  const { tradeAsset, exchange, targets } = portfolio;
  const held = await heldIn(ctx, portfolio);
  const priceOf = await pricesOf(ctx, exchange, tradeAsset);
  const total = totalOf(held.amounts, priceOf);
  const { start, days } = await daysOf(ctx, portfolio, held, total);
  const returns = dailyReturns(start, days);
  const depth = maxDrawdown(returns);
  const assets = new Set([...held.amounts.keys(), ...Object.keys(targets)]);
  const holdings = [...assets]
    .map((asset) =>
      viewHolding(
        asset,
        held.amounts.get(asset) ?? '0',
        held.books.get(asset),
        priceOf(asset),
        total,
        targets[asset] ?? null,
        tradeAsset,
      ),
    )
    .filter(({ amount, target, realised }) => decimal(amount).gt(0) || target !== null || realised !== '0')
    .sort((a, b) => decimal(b.value ?? 0).cmp(decimal(a.value ?? 0)));
  let growth = 1;
  let index = 0;
  const isCounted = days.map((_, at) => (at === 0 ? start : (days[at - 1]?.equity ?? 0)) > 0);
  const books = [...held.books.values()];
  const owner = await loadPerson(ctx.db, project.ownerId);
  if (!owner) throw notFound('This portfolio');
  return {
    id: project.id,
    name: project.name,
    owner,
    exchange,
    environment: exchangeInfo[exchange].environment,
    trade_asset: tradeAsset,
    total,
    change_1d: metric(windowReturn(returns, 1)),
    is_yours: project.ownerId === ctx.actor.userId,
    updated_at: project.updatedAt.toISOString(),
    holdings,
    targets,
    returns: {
      '1d': metric(windowReturn(returns, 1)),
      '7d': metric(windowReturn(returns, 7)),
      '30d': metric(windowReturn(returns, 30)),
      max: metric(windowReturn(returns, null)),
    },
    volatility: metric(volatility(returns)),
    sharpe: metric(sharpe(returns)),
    sharpe_error: metric(sharpeError(returns)),
    max_drawdown: depth ? { value: depth.depth, reason: null } : { value: null, reason: 'no day is over yet' },
    realised: sum(books.map(({ realised }) => realised))
      .round(8)
      .toFixed(),
    unrealised: sum(holdings.map(({ unrealised }) => unrealised ?? 0))
      .round(8)
      .toFixed(),
    fees: sum(books.map(({ fees }) => fees))
      .round(8)
      .toFixed(),
    deposits: paid(held.entries, 'deposit'),
    withdrawals: paid(held.entries, 'withdrawal'),
    equity: days.map(({ day, equity }, at) => {
      if (isCounted[at]) growth *= 1 + (returns[index++] ?? 0);
      return { day: dayOf(new Date(day)), equity, growth };
    }),
    connections: held.connections.map(({ id, type, label }) => ({ id, type, label })),
    problems: held.problems,
    can_edit: abilities.includes('edit'),
  };
}

function viewHolding(
  asset: string,
  amount: string,
  book: { amount: string; cost: string; realised: string } | undefined,
  price: string | null,
  total: string,
  target: number | null,
  tradeAsset: string,
): PortfolioHolding {
  const value = price === null ? null : decimal(amount).times(price).round(8).toFixed();
  // Of what was there before there was a record it is not known what it cost.
  const isKnown =
    asset !== tradeAsset && book !== undefined && decimal(book.amount).gte(decimal(amount).times('0.999'));
  const cost = isKnown ? decimal(book.cost).round(8).toFixed() : null;
  return {
    asset,
    amount,
    price,
    value,
    share: value !== null && decimal(total).gt(0) ? Number(decimal(value).div(total).toFixed(8)) : null,
    target,
    cost,
    unrealised: cost !== null && value !== null ? decimal(value).minus(cost).toFixed() : null,
    realised:
      asset === tradeAsset
        ? '0'
        : decimal(book?.realised ?? 0)
            .round(8)
            .toFixed(),
  };
}

/** Of a project; null where it is none, or the caller may not see what it holds. */
export async function metaOf(ctx: Context, { id, section }: ProjectRow): Promise<PortfolioMeta | null> {
  if (section !== portfolioSection || ctx.actor.impersonatorId !== null) return null;
  const [portfolio] = await ctx.db.select().from(portfolios).where(eq(portfolios.projectId, id));
  if (!portfolio) return null;
  const { amounts, entries } = await heldIn(ctx, portfolio);
  const holdings = [...amounts].filter(([, amount]) => decimal(amount).gt(0));
  return {
    assets: holdings.map(([asset]) => asset),
    holdings: holdings.map(([asset, amount]) => ({ asset, amount })),
    trade_asset: portfolio.tradeAsset,
    deposits: paid(entries, 'deposit'),
    withdrawals: paid(entries, 'withdrawal'),
    exchange: portfolio.exchange,
  };
}

const paid = (entries: readonly EntryRow[], kind: 'deposit' | 'withdrawal'): string =>
  sum(
    entries.filter((entry) => entry.kind === kind).map(({ amount, price }) => decimal(amount).times(price)),
  ).toFixed();

export async function listPortfolios(ctx: Context): Promise<PortfolioSummary[]> {
  const base = {
    page: 1,
    page_size: 100,
    sort_by: 'updated_at',
    sort_direction: 'desc',
    section: portfolioSection,
  } as const;
  const [mine, shared] = [
    await listProjects(ctx, { ...base, mode: 'my' }),
    await listProjects(ctx, { ...base, mode: 'shared' }),
  ];
  const found = [...mine.entries, ...shared.entries].map(({ project }) => project.id);
  if (found.length === 0) return [];
  const rows = await ctx.db.select().from(portfolios).where(inArray(portfolios.projectId, found));
  const ids = new Set(rows.map(({ projectId }) => projectId));
  return Promise.all(
    found
      .filter((id) => ids.has(id))
      .map(async (id) => viewPortfolio(ctx, await requirePortfolio(ctx, id, 'portfolio.view'))),
  );
}

export async function createPortfolio(
  ctx: Context,
  input: EndpointInput<'portfolios', 'create'>,
): Promise<PortfolioDetail> {
  const connections = await Promise.all(
    input.connection_ids.map((id) => requireConnection(ctx, ctx.db, id, 'trade.order')),
  );
  const exchange = connections[0]?.type ?? input.exchange;
  const id = await ctx.write(async (write) => {
    const project = await createProject(ctx.within(write), {
      ...{ name: input.name, language: 'python', visibility: 'private', hides_source: false, create_main_file: false },
      section: portfolioSection,
    });
    const projectId = project.id;
    await write.tx.insert(portfolios).values({ projectId, exchange, tradeAsset: valueQuote, createdAt: ctx.now() });
    await storeConnections(write, projectId, input.connection_ids);
    await write.emit('portfolio.created', { project_id: projectId, user_id: project.ownerId });
    return projectId;
  });
  await beginAgain(ctx, id);
  return viewPortfolio(ctx, await requirePortfolio(ctx, id, 'portfolio.view'));
}

async function storeConnections({ tx }: Write, projectId: string, ids: readonly string[]): Promise<void> {
  await tx.delete(portfolioConnections).where(eq(portfolioConnections.projectId, projectId));
  if (ids.length > 0) {
    await tx
      .insert(portfolioConnections)
      .values([...new Set(ids)].map((connectionId) => ({ projectId, connectionId })));
  }
}

/** With other connections it is another thing that is measured: returns begin again. */
async function beginAgain(ctx: Context, id: string): Promise<void> {
  const { portfolio } = await requirePortfolio(ctx, id, 'portfolio.view');
  const { amounts } = await heldIn(ctx, portfolio);
  const startEquity = totalOf(amounts, await pricesOf(ctx, portfolio.exchange, portfolio.tradeAsset));
  await ctx.write(async ({ tx }) => {
    await tx.update(portfolios).set({ startEquity }).where(eq(portfolios.projectId, id));
    await tx.delete(portfolioDays).where(eq(portfolioDays.projectId, id));
  });
}

export async function changePortfolio(
  ctx: Context,
  id: string,
  change: EndpointFields<'portfolios', 'change'>,
): Promise<PortfolioDetail> {
  const { project } = await requirePortfolio(ctx, id, 'portfolio.edit');
  if (change.connection_ids && project.ownerId !== ctx.actor.userId) {
    throw denied('no_permissions', 'Only the owner of a portfolio chooses its connections.');
  }
  for (const each of change.connection_ids ?? []) await requireConnection(ctx, ctx.db, each, 'trade.order');
  await ctx.write(async (write) => {
    if (change.targets)
      await write.tx.update(portfolios).set({ targets: change.targets }).where(eq(portfolios.projectId, id));
    if (change.connection_ids) await storeConnections(write, id, change.connection_ids);
    await write.emit('portfolio.changed', { project_id: id, what: change.targets ? 'targets' : 'connections' });
  });
  if (change.connection_ids) await beginAgain(ctx, id);
  return viewPortfolio(ctx, await requirePortfolio(ctx, id, 'portfolio.view'));
}
