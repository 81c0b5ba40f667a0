import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import {
  environments,
  exchangeTypes,
  orderSides,
  orderSources,
  tradingOrderStates,
  tradingOrderTypes,
  tradingStates,
} from './values.ts';

export * from './values.ts';

/** As text: an exchange counts in more digits than a double has. */
const decimalPattern = /^(?:0|[1-9]\d{0,20})(?:\.\d{1,18})?$/;
export const decimalAmount = z.string().regex(decimalPattern, 'Must be a number such as 12.5');
const positive = decimalAmount.refine((value) => /[1-9]/.test(value), 'Must be more than zero');
const decimalText = z.string();

/** `demo-BTC`: where it is traded, and what. */
export const assetId = z
  .string()
  .max(60)
  .regex(new RegExp(`^(${exchangeTypes.join('|')})-[A-Za-z0-9._]{1,30}$`), 'Must be an asset such as demo-BTC');
export const marketSymbol = z
  .string()
  .max(60)
  .regex(/^[A-Za-z0-9._]{1,30}\/[A-Za-z0-9._]{1,20}$/, 'Must be a market such as BTC/USDT');

export const tradingExchange = z.object({
  type: z.enum(exchangeTypes),
  name: z.string(),
  environment: z.enum(environments),
  is_coming_soon: z.boolean(),
  is_available: z.boolean().describe('Whether this installation reaches it'),
  is_connected: z.boolean(),
});
export type TradingExchange = z.infer<typeof tradingExchange>;

export const tradingLimits = z.strictObject({
  max_order: positive.nullable().describe('The most one order may come to, in the quote; null is without limit'),
  max_day: positive.nullable().describe('The most that may be ordered in a day (UTC)'),
  max_daily_loss: positive.nullable().describe('After losing this much in a day, only sales are taken'),
  orders_per_minute: z.int().min(1).max(600),
  price_distance: z.number().min(0.1).max(100).describe('How far from the last price an order may be, in percent'),
  symbols: z.array(marketSymbol).max(200).nullable().describe('The markets that are allowed; null is all of them'),
});
export type TradingLimits = z.infer<typeof tradingLimits>;

export const exchangeConnection = z.object({
  id,
  type: z.enum(exchangeTypes),
  environment: z.enum(environments),
  label: z.string(),
  key_hint: z.string().nullable().describe('The last four characters of the key; it is never shown again'),
  state: z.enum(tradingStates),
  state_reason: z.string().nullable(),
  is_armed: z.boolean().describe('Whether orders are taken; demo and testnet always are'),
  limits: tradingLimits,
  is_ip_restricted: z.boolean().nullable().describe('Whether the key works from set addresses only; null is unknown'),
  problem: z.string().nullable().describe('Why the exchange did not answer the last time'),
  created_at: time,
  checked_at: time.nullable(),
});
export type ExchangeConnection = z.infer<typeof exchangeConnection>;

/** The spec's Market token. */
export const tradingAsset = z.object({
  id: assetId,
  remote_type: z.enum(exchangeTypes),
  remote_id: marketSymbol,
  symbol: z.string(),
  name: z.string(),
  quote: z.string(),
  price: decimalText.nullable(),
  change: z.number().nullable().describe('Over 24 hours, in percent'),
  volume: decimalText.nullable().describe('Over 24 hours, in the quote'),
  market_cap: decimalText.nullable(),
  age: z.int().nullable().describe('Days since its chain began'),
  category: z.string().nullable(),
  is_favorite: z.boolean(),
});
export type TradingAsset = z.infer<typeof tradingAsset>;

export const marketRules = z.object({
  symbol: marketSymbol,
  base: z.string(),
  quote: z.string(),
  amount_step: decimalText,
  price_tick: decimalText,
  min_amount: decimalText,
  max_amount: decimalText.nullable(),
  min_notional: decimalText,
  maker_fee: decimalText,
  taker_fee: decimalText,
  is_active: z.boolean(),
});
export type MarketRules = z.infer<typeof marketRules>;

export const tradingTicker = z.object({
  symbol: marketSymbol,
  last: decimalText,
  bid: decimalText.nullable(),
  ask: decimalText.nullable(),
  change: z.number().nullable(),
  volume: decimalText.nullable(),
  at: time,
});
export type TradingTicker = z.infer<typeof tradingTicker>;

export const tradingOrder = z.object({
  id,
  connection_id: id,
  exchange_type: z.enum(exchangeTypes),
  environment: z.enum(environments),
  symbol: marketSymbol,
  side: z.enum(orderSides),
  type: z.enum(tradingOrderTypes),
  amount: decimalText,
  price: decimalText.nullable(),
  stop_price: decimalText.nullable(),
  state: z.enum(tradingOrderStates),
  reason: z.string().nullable().describe('Why it was rejected or ended'),
  filled: decimalText,
  average: decimalText.nullable().describe('The average price of what was filled'),
  fees: z.record(z.string(), decimalText).describe('By the asset they were paid in'),
  source: z.enum(orderSources),
  is_unclear: z.boolean().describe('The exchange did not answer; it is being asked what became of the order'),
  created_at: time,
  updated_at: time,
});
export type TradingOrder = z.infer<typeof tradingOrder>;

export const tradingBalance = z.object({
  asset: z.string(),
  free: decimalText,
  used: decimalText.describe('Held by open orders'),
  value: decimalText.nullable().describe('All of it, in the quote; null without a price'),
});
export type TradingBalance = z.infer<typeof tradingBalance>;

export const orderRequest = z.strictObject({
  connection_id: id,
  request_id: id.describe('Made by the client; sent again, the order is not placed again'),
  symbol: marketSymbol,
  side: z.enum(orderSides),
  type: z.enum(tradingOrderTypes),
  amount: positive.describe('In the base'),
  price: positive.nullable().default(null).describe('Of limit and stop_limit'),
  stop_price: positive.nullable().default(null).describe('Of stop, stop_limit and take_profit'),
});

export const orderPreview = z.object({
  price: decimalText.describe('What it is reckoned with'),
  value: decimalText.describe('Amount times price, in the quote'),
  fee: decimalText.describe('About, in the quote'),
  balance_after: decimalText.nullable().describe('What is left of the asset it is paid with'),
  paid_with: z.string(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })).describe('Why it would be refused'),
});
export type OrderPreview = z.infer<typeof orderPreview>;

export const connectionLabel = line(60);

export const bookLevel = z.object({ price: z.string(), amount: z.string() });
