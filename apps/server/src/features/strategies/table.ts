import type {
  ParameterValues,
  PublishedStrategy,
  RunLimits,
  StrategyCheck,
  StrategyRunView,
  StrategyTestView,
  StrategyVerification,
  TestKind,
  TestPlan,
  TestSettings,
  TestSummary,
} from '@atoll/contract';
import type { Decision } from '@atoll/trading/backtest/live/live-types';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { publicationPeople, publications } from '../publications/table.ts';
import { exchangeConnections } from '../trading/table.ts';
import { users } from '../users/table.ts';

export type StrategyCard = Omit<PublishedStrategy, 'publication' | 'verification' | 'live'>;

const ofFile = {
  projectId: belongsTo('project_id', () => projects.id),
  /** The `.strat` file. */
  fileId: belongsTo('file_id', () => files.id),
};

/** A backtest, a sweep over parameters or a walk-forward: what it was made of, and what came out. */
export const strategyTests = pgTable(
  'strategy_tests',
  {
    id: primaryId(),
    ...ofFile,
    number: integer('number').notNull(),
    kind: text('kind').$type<TestKind>().notNull(),
    /** Given by a person; those with a name are kept. */
    name: text('name'),
    state: text('state').$type<StrategyTestView['state']>().notNull(),
    reason: text('reason'),
    starterId: uuid('starter_id').references(() => users.id, { onDelete: 'set null' }),
    requestId: uuid('request_id').notNull(),
    jobId: uuid('job_id'),
    /** Null: not asked for. */
    verification: text('verification').$type<StrategyVerification['state']>(),
    verificationMessage: text('verification_message'),
    lookAhead: text('look_ahead').$type<StrategyCheck['state']>(),
    /** What is tested: later savings do not change it. */
    codePath: text('code_path').notNull(),
    codeBlob: text('code_blob').notNull(),
    parameters: jsonb('parameters').$type<ParameterValues>().notNull(),
    settings: jsonb('settings').$type<TestSettings>().notNull(),
    /** The bars end here, also when it is computed again later. */
    until: time('until').notNull(),
    /** How many had been tried when it was done: the more, the less a good one means. */
    tries: integer('tries'),
    /** Of a sweep or a walk-forward. */
    plan: jsonb('plan').$type<TestPlan>(),
    summary: jsonb('summary').$type<TestSummary>(),
    fingerprint: text('fingerprint'),
    /** The whole outcome, as JSON. */
    resultBlob: text('result_blob'),
    createdAt: time('created_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    uniqueIndex('strategy_tests_number').on(table.fileId, table.number),
    uniqueIndex('strategy_tests_request').on(table.fileId, table.requestId),
    index('strategy_tests_project').on(table.projectId),
    index('strategy_tests_starter').on(table.starterId),
    index('strategy_tests_code_blob').on(table.codeBlob),
    index('strategy_tests_result_blob').on(table.resultBlob),
  ],
);
export type TestRow = typeof strategyTests.$inferSelect;

/** Candles of an exchange, downloaded once: one row for each month that is over. */
export const candleMonths = pgTable(
  'candle_months',
  {
    id: primaryId(),
    exchange: text('exchange').notNull(),
    symbol: text('symbol').notNull(),
    interval: text('interval').notNull(),
    /** `2026-11`. */
    month: text('month').notNull(),
    /** Six columns of doubles, one after the other. */
    columnsBlob: text('columns_blob').notNull(),
    rows: integer('rows').notNull(),
    storedAt: time('stored_at').notNull(),
  },
  (table) => [
    uniqueIndex('candle_months_key').on(table.exchange, table.symbol, table.interval, table.month),
    index('candle_months_columns_blob').on(table.columnsBlob),
  ],
);

/** A strategy at work on a connection. */
export const strategyRuns = pgTable(
  'strategy_runs',
  {
    id: primaryId(),
    /** Of a copy: the portfolio. */
    projectId: ofFile.projectId,
    /** Null for a copy: its code is somebody else's. */
    fileId: uuid('file_id').references(() => files.id, { onDelete: 'cascade' }),
    /** What it is a copy of. */
    publicationId: uuid('publication_id').references(() => publications.id, { onDelete: 'set null' }),
    isCopy: boolean('is_copy').notNull().default(false),
    /** Its owner's own, beside those of the connection. */
    limits: jsonb('limits').$type<RunLimits>().notNull().default({}),
    ownerId: belongsTo('owner_id', () => users.id),
    connectionId: uuid('connection_id').references(() => exchangeConnections.id, { onDelete: 'set null' }),
    requestId: uuid('request_id').notNull(),
    state: text('state').$type<StrategyRunView['state']>().notNull(),
    reason: text('reason'),
    codePath: text('code_path').notNull(),
    codeBlob: text('code_blob').notNull(),
    parameters: jsonb('parameters').$type<ParameterValues>().notNull(),
    settings: jsonb('settings').$type<TestSettings>().notNull(),
    /** The money it may trade with. */
    capital: text('capital').notNull(),
    /** What the strategy remembers itself, and what it has of each market. */
    memory: jsonb('memory').$type<Record<string, unknown>>().notNull().default({}),
    /** The first bar it decided on: a backtest beside it begins there. */
    firstBar: bigint('first_bar', { mode: 'number' }),
    /** The time of the last bar it has decided on, in milliseconds; a bar is decided on once. */
    lastBar: bigint('last_bar', { mode: 'number' }),
    closesPositions: boolean('closes_positions').notNull().default(false),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    uniqueIndex('strategy_runs_request').on(table.ownerId, table.requestId),
    index('strategy_runs_file').on(table.fileId, table.startedAt.desc()),
    index('strategy_runs_project').on(table.projectId),
    index('strategy_runs_publication').on(table.publicationId),
    index('strategy_runs_connection').on(table.connectionId),
    index('strategy_runs_code_blob').on(table.codeBlob),
    index('strategy_runs_going').on(table.id).where(sql`${table.endedAt} is null`),
  ],
);
export type RunRow = typeof strategyRuns.$inferSelect;

/** What a running strategy decided, why, and what became of it. */
export const strategyDecisions = pgTable(
  'strategy_decisions',
  {
    /** Made of the run, the bar and its place in it: decided again, it is the same. */
    id: text('id').primaryKey(),
    runId: belongsTo('run_id', () => strategyRuns.id),
    bar: bigint('bar', { mode: 'number' }).notNull(),
    sequence: integer('sequence').notNull(),
    decision: jsonb('decision').$type<Decision>().notNull(),
    state: text('state').$type<'decided' | 'ordered' | 'refused'>().notNull(),
    reason: text('reason'),
    orderId: uuid('order_id'),
    at: time('at').notNull(),
  },
  (table) => [
    index('strategy_decisions_newest').on(table.runId, table.bar.desc(), table.at.desc(), table.sequence.desc()),
    index('strategy_decisions_order').on(table.orderId),
    index('strategy_decisions_open').on(table.runId).where(sql`${table.state} = 'decided'`),
  ],
);
export type DecisionRow = typeof strategyDecisions.$inferSelect;

/** What a run was worth at its last bar of each hour. */
export const strategyRunValues = pgTable(
  'strategy_run_values',
  {
    runId: belongsTo('run_id', () => strategyRuns.id),
    /** Its beginning, in milliseconds. */
    hour: bigint('hour', { mode: 'number' }).notNull(),
    /** When the bar closed. */
    time: bigint('time', { mode: 'number' }).notNull(),
    equity: doublePrecision('equity').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.hour] })],
);

/** Who is told what a published strategy orders. */
export const strategyFollowers = publicationPeople('strategy_followers');

/** What lists show of a published strategy, kept from its newest version. */
export const publishedStrategies = pgTable(
  'published_strategies',
  {
    publicationId: belongsTo('publication_id', () => publications.id).primaryKey(),
    fileId: uuid('file_id').notNull(),
    testId: uuid('test_id').notNull(),
    card: jsonb('card').$type<StrategyCard>().notNull(),
    totalReturn: doublePrecision('total_return'),
    return30d: doublePrecision('return_30d'),
    return7d: doublePrecision('return_7d'),
    return1d: doublePrecision('return_1d'),
    sharpe: doublePrecision('sharpe'),
    maxDrawdown: doublePrecision('max_drawdown'),
    isLookAheadPassed: boolean('is_look_ahead_passed').notNull(),
  },
  (table) => [
    index('published_strategies_return').on(table.totalReturn),
    index('published_strategies_month').on(table.return30d),
    index('published_strategies_week').on(table.return7d),
    index('published_strategies_day').on(table.return1d),
    index('published_strategies_sharpe').on(table.sharpe),
    index('published_strategies_drawdown').on(table.maxDrawdown),
  ],
);
