import {
  type ExchangeConnection,
  exchangeInfo,
  type MarketRules,
  type TradingOrder,
  type TradingTicker,
} from '@atoll/contract';
import { decimal, type Market, type Ticker } from '@atoll/trading';
import type { ConnectionRow, OrderRow } from './table.ts';

export const viewMarket = (market: Market): MarketRules => ({
  symbol: market.symbol,
  base: market.base,
  quote: market.quote,
  amount_step: market.amountStep,
  price_tick: market.priceTick,
  min_amount: market.minAmount,
  max_amount: market.maxAmount,
  min_notional: market.minNotional,
  maker_fee: market.makerFee,
  taker_fee: market.takerFee,
  is_active: market.isActive,
});

export const viewTicker = ({ at, ...ticker }: Ticker): TradingTicker => ({ ...ticker, at: new Date(at).toISOString() });

export const viewConnection = (row: ConnectionRow): ExchangeConnection => ({
  id: row.id,
  type: row.type,
  environment: exchangeInfo[row.type].environment,
  label: row.label,
  key_hint: row.keyHint,
  state: row.state,
  state_reason: row.stateReason,
  is_armed: row.isArmed,
  limits: row.limits,
  is_ip_restricted: row.rights?.isIpRestricted ?? null,
  problem: row.problem,
  created_at: row.createdAt.toISOString(),
  checked_at: row.checkedAt?.toISOString() ?? null,
});

/** The database keeps the zeros that a number was written with. */
const plain = (value: string): string => decimal(value).toFixed();
const plainOrNull = (value: string | null): string | null => (value === null ? null : plain(value));

export const viewOrder = (row: OrderRow, type: ConnectionRow['type']): TradingOrder => ({
  id: row.id,
  connection_id: row.connectionId,
  exchange_type: type,
  environment: exchangeInfo[type].environment,
  symbol: row.symbol,
  side: row.side,
  type: row.type,
  amount: plain(row.amount),
  price: plainOrNull(row.price),
  stop_price: plainOrNull(row.stopPrice),
  state: row.state,
  reason: row.reason,
  filled: plain(row.filled),
  average: plainOrNull(row.average),
  fees: row.fees,
  source: row.source,
  is_unclear: row.state === 'formed' && row.sentAt !== null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
