import type { ExchangeType, PortfolioEntry } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import { check, date, index, jsonb, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { projects } from '../projects/table.ts';
import { exchangeConnections } from '../trading/table.ts';

/** A portfolio is a project, and this beside it. */
export const portfolios = pgTable('portfolios', {
  projectId: belongsTo('project_id', () => projects.id).primaryKey(),
  exchange: text('exchange').$type<ExchangeType>().notNull(),
  tradeAsset: text('trade_asset').notNull(),
  /** Shares of the whole, by asset. */
  targets: jsonb('targets').$type<Record<string, number>>().notNull().default({}),
  /** What it was worth when it was created or its connections changed: returns are reckoned from there. */
  startEquity: numeric('start_equity').notNull().default('0'),
  createdAt: time('created_at').notNull(),
});
export type PortfolioRow = typeof portfolios.$inferSelect;

export const portfolioConnections = pgTable(
  'portfolio_connections',
  {
    projectId: belongsTo('project_id', () => portfolios.projectId),
    connectionId: belongsTo('connection_id', () => exchangeConnections.id),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.connectionId] }),
    index('portfolio_connections_connection').on(table.connectionId),
  ],
);

/** What was entered by hand. */
export const portfolioEntries = pgTable(
  'portfolio_entries',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => portfolios.projectId),
    kind: text('kind').$type<PortfolioEntry['kind']>().notNull(),
    asset: text('asset').notNull(),
    amount: numeric('amount').notNull(),
    price: numeric('price').notNull(),
    fee: numeric('fee').notNull(),
    note: text('note').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    check('portfolio_entries_amounts', sql`${table.amount} > 0 and ${table.price} >= 0 and ${table.fee} >= 0`),
    index('portfolio_entries_newest').on(table.projectId, table.at.desc(), table.id.desc()),
  ],
);
export type EntryRow = typeof portfolioEntries.$inferSelect;

/** What it was worth at the end of each day (UTC). */
export const portfolioDays = pgTable(
  'portfolio_days',
  {
    projectId: belongsTo('project_id', () => portfolios.projectId),
    day: date('day', { mode: 'string' }).notNull(),
    equity: numeric('equity').notNull(),
    /** Paid in less paid out. */
    flow: numeric('flow').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);
