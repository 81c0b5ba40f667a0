import {
  type ExchangeType,
  exchangeTypes,
  orderSides,
  orderSources,
  type TradingLimits,
  type TradingOrder,
} from '@atoll/contract';
import { type DemoAccount, type DemoOrder, gateStates, type KeyRights, orderStates, orderTypes } from '@atoll/trading';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { belongsTo, oneOf, primaryId, time } from '../../platform/db/columns.ts';
import { users } from '../users/table.ts';

export const exchangeConnections = pgTable(
  'exchange_connections',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    type: text('type').$type<ExchangeType>().notNull(),
    label: text('label').notNull().default(''),
    keyHint: text('key_hint'),
    /** Key and secret, sealed; opened by the worker that trades and by nothing else. Null for the demo. */
    sealedKey: text('sealed_key'),
    /** Of the key that sealed it. */
    sealId: text('seal_id'),
    rights: jsonb('rights').$type<KeyRights>(),
    state: text('state').$type<'active' | 'reducing' | 'halted'>().notNull().default('active'),
    stateReason: text('state_reason'),
    isArmed: boolean('is_armed').notNull(),
    limits: jsonb('limits').$type<TradingLimits>().notNull(),
    problem: text('problem'),
    /** The UTC day whose first value follows: what is lost today is lost since then. */
    day: date('day', { mode: 'string' }),
    dayEquity: numeric('day_equity'),
    createdAt: time('created_at').notNull(),
    checkedAt: time('checked_at'),
    /** Its key is gone; its orders are still part of the history. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    check('exchange_connections_type', oneOf(table.type, exchangeTypes)),
    check('exchange_connections_state', oneOf(table.state, gateStates)),

    index('exchange_connections_user').on(table.userId),
    // Each person has one demo account.
    uniqueIndex('exchange_connections_demo').on(table.userId).where(sql`type = 'demo'`),
  ],
);
export type ConnectionRow = typeof exchangeConnections.$inferSelect;

/** The journal: an order is here before it is sent anywhere. */
export const tradingOrders = pgTable(
  'trading_orders',
  {
    id: primaryId(),
    userId: belongsTo('user_id', () => users.id),
    connectionId: belongsTo('connection_id', () => exchangeConnections.id),
    requestId: uuid('request_id'),
    /** What the exchange knows it by. */
    clientId: text('client_id').notNull(),
    exchangeId: text('exchange_id'),
    source: text('source').$type<TradingOrder['source']>().notNull(),
    symbol: text('symbol').notNull(),
    side: text('side').$type<TradingOrder['side']>().notNull(),
    type: text('type').$type<TradingOrder['type']>().notNull(),
    amount: numeric('amount').notNull(),
    price: numeric('price'),
    stopPrice: numeric('stop_price'),
    /** Amount times price when it was made, in the quote: counts for the limit of a day. */
    value: numeric('value').notNull(),
    state: text('state').$type<TradingOrder['state']>().notNull(),
    reason: text('reason'),
    filled: numeric('filled').notNull().default('0'),
    average: numeric('average'),
    fees: jsonb('fees').$type<Record<string, string>>().notNull().default({}),
    /** When it was about to be sent. Set and still `formed`: it may have arrived, so it is asked for, never sent again. */
    sentAt: time('sent_at'),
    /** How often the exchange said that it does not know it. */
    absences: integer('absences').notNull().default(0),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    check('trading_orders_side', oneOf(table.side, orderSides)),
    check('trading_orders_type', oneOf(table.type, orderTypes)),
    check('trading_orders_state', oneOf(table.state, orderStates)),
    check('trading_orders_source', oneOf(table.source, orderSources)),
    check('trading_orders_amounts', sql`${table.amount} >= 0 and ${table.filled} >= 0 and ${table.value} >= 0`),

    uniqueIndex('trading_orders_client').on(table.connectionId, table.clientId),
    uniqueIndex('trading_orders_request').on(table.userId, table.requestId),
    index('trading_orders_newest').on(table.userId, table.createdAt.desc(), table.id.desc()),
    index('trading_orders_day').on(table.connectionId, table.createdAt),
    index('trading_orders_unfinished').on(table.connectionId).where(sql`state in ('formed', 'open')`),
  ],
);
export type OrderRow = typeof tradingOrders.$inferSelect;

export const tradingFills = pgTable(
  'trading_fills',
  {
    orderId: belongsTo('order_id', () => tradingOrders.id),
    /** The exchange's own. */
    fillId: text('fill_id').notNull(),
    amount: numeric('amount').notNull(),
    price: numeric('price').notNull(),
    fee: numeric('fee').notNull(),
    feeAsset: text('fee_asset').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    check('trading_fills_amounts', sql`${table.amount} > 0 and ${table.price} >= 0`),
    primaryKey({ columns: [table.orderId, table.fillId] }),
  ],
);

/** What the demo exchange keeps, as another exchange would on its own machines. */
export const demoAccounts = pgTable('demo_accounts', {
  connectionId: belongsTo('connection_id', () => exchangeConnections.id).primaryKey(),
  balances: jsonb('balances')
    .$type<Record<string, DemoAccount['balances'] extends Map<string, infer B> ? B : never>>()
    .notNull(),
});
export type DemoAccountRow = typeof demoAccounts.$inferSelect;
export const demoOrders = pgTable(
  'demo_orders',
  {
    connectionId: belongsTo('connection_id', () => exchangeConnections.id),
    clientId: text('client_id').notNull(),
    isOpen: boolean('is_open').notNull(),
    order: jsonb('order').$type<DemoOrder>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.clientId] }),
    index('demo_orders_open').on(table.connectionId).where(sql`is_open`),
  ],
);

export const favoriteAssets = pgTable(
  'favorite_assets',
  {
    userId: belongsTo('user_id', () => users.id),
    asset: text('asset').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.asset] })],
);
