import {
  exchangeInfo,
  type PublishedStrategy,
  type StrategyDecision,
  type StrategyRunView,
  type TestSettings,
  testSettings,
} from '@atoll/contract';
import type { LiveState } from '@atoll/trading/backtest/live-types';
import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { lockProject } from '../../projects/service/access.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { requireConnection } from '../../trading/service/connections.ts';
import { tickersOf } from '../../trading/service/markets.ts';
import { type ConnectionRow, exchangeConnections } from '../../trading/table.ts';
import { type DecisionRow, type RunRow, strategyDecisions, strategyRuns } from '../table.ts';
import { findCode, readDocument, requireStrategy } from './document.ts';
import { checkSettings } from './task.ts';

/** At the same time, of one person. */
const mostGoing = 10;

export const runEvent = (row: RunRow) => ({
  run_id: row.id,
  project_id: row.projectId,
  file_id: row.fileId,
  state: row.state,
});

type RunWithConnection = { run: RunRow; connection: ConnectionRow | null };

async function viewRuns(ctx: Context, rows: RunWithConnection[]): Promise<StrategyRunView[]> {
  const people = await loadPeople(
    ctx.db,
    rows.map(({ run }) => run.ownerId),
  );
  const views: StrategyRunView[] = [];
  for (const { run, connection } of rows) {
    const owner = people.get(run.ownerId);
    if (!owner) continue;
    views.push({
      id: run.id,
      file_id: run.fileId,
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
      ...(await holdingsOf(ctx, run)),
      last_bar: run.lastBar,
      started_at: run.startedAt.toISOString(),
      ended_at: run.endedAt?.toISOString() ?? null,
    });
  }
  return views;
}

export const exchangeOf = ({ source }: TestSettings) => (source.type === 'exchange' ? source.exchange : 'demo');

/** What it holds of each market, and what that cost. */
export function positionsOf({ lots = [] }: Partial<LiveState>): StrategyRunView['positions'] {
  const held = new Map<string, { symbol: string; amount: number; cost: number }>();
  for (const { symbol, amount, price } of lots) {
    const before = held.get(symbol) ?? { symbol, amount: 0, cost: 0 };
    held.set(symbol, { symbol, amount: before.amount + amount, cost: before.cost + amount * price });
  }
  return [...held.values()].filter(({ amount }) => amount > 0);
}

async function holdingsOf(ctx: Context, run: RunRow): Promise<Pick<StrategyRunView, 'equity' | 'positions'>> {
  const state = run.memory as unknown as Partial<LiveState>;
  if (state.cash === undefined) return { equity: null, positions: [] };
  const positions = positionsOf(state);
  const tickers = await tickersOf(ctx, exchangeOf(run.settings)).catch(() => null);
  const values = positions.map(({ symbol, amount }) => {
    const price = tickers?.get(symbol)?.last;
    return price === undefined ? null : amount * Number(price);
  });
  const isKnown = values.every((value) => value !== null);
  return { positions, equity: isKnown ? values.reduce((sum: number, value) => sum + (value ?? 0), state.cash) : null };
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

const withConnection = (ctx: Context) =>
  ctx.db
    .select({ run: strategyRuns, connection: exchangeConnections })
    .from(strategyRuns)
    .leftJoin(exchangeConnections, eq(exchangeConnections.id, strategyRuns.connectionId));

/** What somebody trades with is theirs to see: not readers of the project, nor an admin who acts as them. */
const isMine = ({ actor }: Context) =>
  eq(strategyRuns.ownerId, (actor.impersonatorId === null && actor.userId) || nobody);

export async function listRuns(ctx: Context, fileId: string): Promise<StrategyRunView[]> {
  await requireStrategy(ctx, fileId, 'strategy.view');
  const rows = await withConnection(ctx)
    .where(and(eq(strategyRuns.fileId, fileId), isMine(ctx)))
    .orderBy(desc(strategyRuns.startedAt), desc(strategyRuns.id))
    .limit(50);
  return viewRuns(ctx, rows);
}

async function viewRun(ctx: Context, id: string): Promise<StrategyRunView> {
  const [view] = await viewRuns(ctx, await withConnection(ctx).where(eq(strategyRuns.id, id)));
  if (!view) throw notFound('This run');
  return view;
}

interface NewRun {
  connection_id: string;
  parameters: RunRow['parameters'];
  settings: Pick<TestSettings, 'symbols' | 'timeframe'>;
  capital: number;
  request_id: string;
}

export async function startRun(ctx: Context, fileId: string, input: NewRun): Promise<StrategyRunView> {
  const { file, project } = await requireStrategy(ctx, fileId, 'strategy.run');
  const connection = await requireConnection(ctx, ctx.db, input.connection_id, 'trade.order');
  const code = await findCode(ctx, file, await readDocument(ctx, file));
  const settings = testSettings.parse({
    ...input.settings,
    capital: input.capital,
    source: { type: 'exchange', exchange: connection.type },
  });
  await checkSettings(ctx, project.id, settings);
  const { userId } = connection;
  const run = await ctx.write(async (write) => {
    await lockProject(write.tx, project.id);
    const [before] = await write.tx
      .select()
      .from(strategyRuns)
      .where(and(eq(strategyRuns.ownerId, userId), eq(strategyRuns.requestId, input.request_id)));
    if (before) return before;
    const [going] = await write.tx
      .select({ count: count() })
      .from(strategyRuns)
      .where(and(eq(strategyRuns.ownerId, userId), isNull(strategyRuns.endedAt)));
    if ((going?.count ?? 0) >= mostGoing) {
      throw new AppError('conflict', `You run ${mostGoing} strategies already. Stop one first.`, {
        details: { reason: 'usage_limit_reached' },
      });
    }
    const [made] = await write.tx
      .insert(strategyRuns)
      .values({
        id: newId(),
        projectId: project.id,
        fileId: file.id,
        ownerId: userId,
        connectionId: connection.id,
        requestId: input.request_id,
        state: 'running',
        codePath: code.path,
        codeBlob: code.blob,
        parameters: input.parameters,
        settings,
        capital: String(input.capital),
        startedAt: ctx.now(),
      })
      .returning();
    if (!made) throw notFound('This run');
    await write.emit('strategy.run_changed', runEvent(made));
    return made;
  });
  return viewRun(ctx, run.id);
}

/** A run of the caller: only its owner's orders it can send. */
async function requireRun(ctx: Context, fileId: string, runId: string): Promise<RunRow> {
  await requireStrategy(ctx, fileId, 'strategy.run');
  const [run] = await ctx.db
    .select()
    .from(strategyRuns)
    .where(and(eq(strategyRuns.id, runId), eq(strategyRuns.fileId, fileId)));
  if (!run || run.ownerId !== ctx.actor.userId) throw notFound('This run');
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

const nextState = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;

export async function changeRun(
  ctx: Context,
  fileId: string,
  runId: string,
  action: keyof typeof nextState,
  closesPositions: boolean,
  closing: (ctx: Context, write: Write, run: RunRow) => Promise<void>,
): Promise<StrategyRunView> {
  const run = await requireRun(ctx, fileId, runId);
  if (run.endedAt) throw new AppError('conflict', 'This run has ended.');
  await ctx.write(async (write) => {
    // What it holds is sold by the same way as everything it orders.
    if (action === 'stop' && closesPositions) await closing(ctx, write, run);
    await setRunState(ctx, write, run, nextState[action], null);
  });
  return viewRun(ctx, runId);
}

export async function listDecisions(ctx: Context, fileId: string, runId: string, page: number, pageSize: number) {
  await requireStrategy(ctx, fileId, 'strategy.view');
  const [run] = await ctx.db
    .select({ id: strategyRuns.id })
    .from(strategyRuns)
    .where(and(eq(strategyRuns.id, runId), eq(strategyRuns.fileId, fileId), isMine(ctx)));
  if (!run) throw notFound('This run');
  const ofRun = eq(strategyDecisions.runId, runId);
  const [rows, [counted]] = await Promise.all([
    ctx.db
      .select()
      .from(strategyDecisions)
      .where(ofRun)
      .orderBy(desc(strategyDecisions.bar), desc(strategyDecisions.at), desc(strategyDecisions.sequence))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(strategyDecisions).where(ofRun),
  ]);
  return { entries: rows.map(viewDecision), page, page_size: pageSize, total: counted?.total ?? 0 };
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
