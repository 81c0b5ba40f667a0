import {
  type EndpointFields,
  exchangeInfo,
  type PublishedStrategy,
  type StrategyDecision,
  type StrategyRunView,
  type TestSettings,
  testSettings,
} from '@atoll/contract';
import { intervalMs } from '@atoll/trading';
import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { claimRequest, clientRequest } from '../../../platform/realtime/apply-once.ts';
import { lockProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';
import { type PublicationRow, publications } from '../../publications/table.ts';
import { requireConnection } from '../../trading/service/connections.ts';
import { marketsOf, tickersOf } from '../../trading/service/markets.ts';
import { type ConnectionRow, exchangeConnections } from '../../trading/table.ts';
import { type DecisionRow, type RunRow, strategyDecisions, strategyRuns } from '../table.ts';
import { equityOf, readBooks } from './books.ts';
import { findCode, readDocument, requireStrategy } from './document.ts';
import { checkSettings } from './process/task.ts';

/** At the same time, of one person. */
const mostGoing = 10;

export const runEvent = (row: RunRow) => ({
  run_id: row.id,
  project_id: row.projectId,
  file_id: row.fileId,
  state: row.state,
});

type FullRun = { run: RunRow; connection: ConnectionRow | null; publication: PublicationRow | null };

async function viewRuns(ctx: Context, rows: FullRun[]): Promise<StrategyRunView[]> {
  const people = await loadPeopleOf(ctx.db, rows, ({ run }) => run.ownerId);
  const views: StrategyRunView[] = [];
  for (const { run, connection, publication } of rows) {
    const owner = people.get(run.ownerId);
    if (!owner) continue;
    const { equity, positions } = await holdingsOf(ctx, run);
    views.push({
      id: run.id,
      file_id: run.fileId,
      copy_of: run.isCopy
        ? { title: publication?.title ?? 'A strategy that was deleted', slug: publication?.slug ?? null }
        : null,
      limits: run.limits,
      state: run.state,
      reason: run.reason,
      environment: exchangeInfo[exchangeOf(run.settings)].environment,
      connection_id: run.ownerId === ctx.actor.userId ? run.connectionId : null,
      connection_label: connection?.label ?? 'Deleted connection',
      owner,
      is_yours: run.ownerId === ctx.actor.userId,
      parameters: run.parameters,
      settings: run.settings,
      capital: Number(run.capital),
      equity,
      positions,
      last_bar: run.lastBar,
      next_decision: nextDecisionOf(ctx, run),
      refused_count: await ctx.db.$count(
        strategyDecisions,
        and(eq(strategyDecisions.runId, run.id), eq(strategyDecisions.state, 'refused')),
      ),
      started_at: run.startedAt.toISOString(),
      ended_at: run.endedAt?.toISOString() ?? null,
    });
  }
  return views;
}

function nextDecisionOf(ctx: Context, { state, settings, lastBar }: RunRow): number | null {
  if (state !== 'running') return null;
  const length = intervalMs[settings.timeframe];
  // A bar is known by its beginning.
  return lastBar === null ? Math.ceil(ctx.now().getTime() / length) * length : lastBar + 2 * length;
}

export const exchangeOf = ({ source }: TestSettings) => (source.type === 'exchange' ? source.exchange : 'demo');

/** What it holds of each market and what all of it is worth, by this server's own books. */
export async function holdingsOf(ctx: Context, run: RunRow) {
  const exchange = exchangeOf(run.settings);
  const known = await marketsOf(ctx, exchange).catch(() => new Map());
  const books = await readBooks(ctx.db, run, known);
  const positions = [...books.holdings].flatMap(([symbol, { amount, cost }]) =>
    amount > 0 ? [{ symbol, amount, cost }] : [],
  );
  if (run.lastBar === null) return { equity: null, cash: books.cash, positions };
  const tickers = await tickersOf(ctx, exchange).catch(() => null);
  const priceOf = (symbol: string) => {
    const last = tickers?.get(symbol)?.last;
    return last === undefined ? undefined : Number(last);
  };
  return { equity: equityOf(books, priceOf), cash: books.cash, positions };
}

/** How a run does, for who sees no more of it. */
export async function liveOf(ctx: Context, run: RunRow): Promise<NonNullable<PublishedStrategy['live']>> {
  const { equity } = await holdingsOf(ctx, run);
  const value = equity === null ? null : equity / Number(run.capital) - 1;
  return {
    environment: exchangeInfo[exchangeOf(run.settings)].environment,
    since: run.startedAt.toISOString(),
    value: { value, reason: value === null ? 'it has not decided yet' : null },
  };
}

const fullRuns = (ctx: Context) =>
  ctx.db
    .select({ run: strategyRuns, connection: exchangeConnections, publication: publications })
    .from(strategyRuns)
    .leftJoin(exchangeConnections, eq(exchangeConnections.id, strategyRuns.connectionId))
    .leftJoin(publications, eq(publications.id, strategyRuns.publicationId));

/** What somebody trades with is theirs to see: not readers of the project, nor an admin who acts as them. */
const isMine = ({ actor }: Context) =>
  eq(strategyRuns.ownerId, (actor.impersonatorId === null && actor.userId) || nobody);

async function ownRuns(ctx: Context, of: SQL): Promise<StrategyRunView[]> {
  const rows = await fullRuns(ctx)
    .where(and(of, isMine(ctx)))
    .orderBy(desc(strategyRuns.startedAt), desc(strategyRuns.id))
    .limit(50);
  return viewRuns(ctx, rows);
}

export async function listRuns(ctx: Context, fileId: string): Promise<StrategyRunView[]> {
  await requireStrategy(ctx, fileId, 'strategy.view');
  return ownRuns(ctx, eq(strategyRuns.fileId, fileId));
}

/** Those that were copied to a portfolio. */
export const listCopies = (ctx: Context, projectId: string): Promise<StrategyRunView[]> =>
  ownRuns(ctx, and(eq(strategyRuns.projectId, projectId), strategyRuns.isCopy) as SQL);

export async function viewRun(ctx: Context, id: string): Promise<StrategyRunView> {
  const [view] = await viewRuns(ctx, await fullRuns(ctx).where(eq(strategyRuns.id, id)));
  if (!view) throw notFound('This run');
  return view;
}

type NewRun = EndpointFields<'strategies', 'startRun'>;

/** On which connection, with which settings; refused where they do not go together. */
export async function settingsFor(ctx: Context, projectId: string, input: Omit<NewRun, 'parameters'>) {
  const connection = await requireConnection(ctx, ctx.db, input.connection_id, 'trade.order');
  const settings = testSettings.parse({
    ...input.settings,
    capital: input.capital,
    source: { type: 'exchange', exchange: connection.type },
  });
  await checkSettings(ctx, projectId, settings);
  return { connection, settings };
}

export async function startRun(ctx: Context, fileId: string, input: NewRun): Promise<StrategyRunView> {
  const { file, project } = await requireStrategy(ctx, fileId, 'strategy.run');
  const code = await findCode(ctx, file, await readDocument(ctx, file));
  const { connection, settings } = await settingsFor(ctx, project.id, input);
  const { parameters, limits, request_id: requestId } = input;
  const fields = { parameters, limits, requestId, settings, capital: String(input.capital) };
  const from = { projectId: project.id, fileId: file.id, codePath: code.path, codeBlob: code.blob };
  return addRun(ctx, connection, { ...fields, ...from });
}

type NewRow = Omit<typeof strategyRuns.$inferInsert, 'id' | 'ownerId' | 'connectionId' | 'state' | 'startedAt'>;

/** Stored, and with its first minute at work. */
export async function addRun(ctx: Context, connection: ConnectionRow, row: NewRow): Promise<StrategyRunView> {
  const { userId } = connection;
  const run = await ctx.write(async (write) => {
    await lockProject(write.tx, row.projectId);
    // A copied strategy is no code of the project.
    if (!row.isCopy) await assertRead(write.tx, row.projectId, userId);
    const { projectId, fileId, publicationId, parameters, limits, capital } = row;
    const asked = [connection.id, projectId, fileId, publicationId, parameters, limits, Number(capital)];
    await claimRequest(ctx, write, clientRequest(row.requestId, asked));
    const [before] = await write.tx
      .select()
      .from(strategyRuns)
      .where(and(eq(strategyRuns.ownerId, userId), eq(strategyRuns.requestId, row.requestId)));
    if (before) return before;
    const isGoing = and(eq(strategyRuns.ownerId, userId), isNull(strategyRuns.endedAt));
    if ((await write.tx.$count(strategyRuns, isGoing)) >= mostGoing) {
      throw new AppError('conflict', `You run ${mostGoing} strategies already. Stop one first.`, {
        details: { reason: 'usage_limit_reached' },
      });
    }
    const [made] = await write.tx
      .insert(strategyRuns)
      .values({
        ...row,
        id: newId(),
        ownerId: userId,
        connectionId: connection.id,
        state: 'running',
        startedAt: ctx.now(),
      })
      .returning();
    if (!made) throw notFound('This run');
    await write.emit('strategy.run_changed', runEvent(made));
    return made;
  });
  return viewRun(ctx, run.id);
}

/** What others wrote trades on nobody's connection before its owner has accepted it. */
async function assertRead(tx: Transaction, projectId: string, userId: string): Promise<void> {
  const [project] = await tx.select().from(projects).where(eq(projects.id, projectId));
  if (project?.ownerId === userId && project.isAwaitingReview)
    throw new AppError(
      'conflict',
      'This project came from another owner. Read its code and accept it on the page of the project first.',
    );
}

/** A run of the caller: only its owner's orders it can send. */
export async function requireRun(ctx: Context, of: { fileId: string } | { portfolioId: string }, runId: string) {
  const found =
    'fileId' in of
      ? eq(strategyRuns.fileId, of.fileId)
      : and(eq(strategyRuns.projectId, of.portfolioId), strategyRuns.isCopy);
  const [run] = await ctx.db
    .select()
    .from(strategyRuns)
    .where(and(eq(strategyRuns.id, runId), found, isMine(ctx)));
  if (!run) throw notFound('This run');
  return run;
}

export async function setRunState(
  ctx: Context,
  write: Write,
  run: RunRow,
  state: RunRow['state'],
  reason: string | null,
): Promise<void> {
  const isOver = state === 'stopped' || state === 'failed';
  const [changed] = await write.tx
    .update(strategyRuns)
    .set({ state, reason, ...(isOver ? { endedAt: ctx.now() } : {}) })
    .where(and(eq(strategyRuns.id, run.id), inArray(strategyRuns.state, ['running', 'paused'])))
    .returning();
  if (changed) await write.emit('strategy.run_changed', runEvent(changed));
}

export async function listDecisions(ctx: Context, { id: runId }: RunRow, page: number, pageSize: number) {
  const ofRun = eq(strategyDecisions.runId, runId);
  const [rows, total] = await Promise.all([
    ctx.db
      .select()
      .from(strategyDecisions)
      .where(ofRun)
      .orderBy(desc(strategyDecisions.bar), desc(strategyDecisions.at), desc(strategyDecisions.sequence))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(strategyDecisions, ofRun),
  ]);
  return { entries: rows.map(viewDecision), page, page_size: pageSize, total };
}

function viewDecision({ id, bar, decision, state, reason, orderId, at }: DecisionRow): StrategyDecision {
  const isOrder = decision.kind === 'place';
  return {
    id,
    bar,
    kind: decision.kind,
    symbol: decision.symbol,
    side: isOrder ? decision.side : null,
    type: isOrder ? decision.type : null,
    amount: isOrder ? decision.amount : null,
    price: isOrder ? (decision.price ?? decision.stopPrice) : null,
    why: decision.reason,
    state,
    reason,
    order_id: orderId,
    at: at.toISOString(),
  };
}
