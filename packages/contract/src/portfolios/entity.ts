import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { decimalAmount } from '../trading/entity.ts';
import { environments, exchangeTypes } from '../trading/values.ts';
import { portfolioEntryKinds } from './values.ts';

export * from './values.ts';

const decimalText = z.string();

export const portfolioAsset = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9._]{1,30}$/, 'Must be an asset such as BTC');

/** A figure, or why there is none. */
export const portfolioMetric = z.object({ value: z.number().nullable(), reason: z.string().nullable() });
export type PortfolioMetric = z.infer<typeof portfolioMetric>;

export const portfolioTargets = z
  .record(portfolioAsset, z.number().min(0).max(1))
  .refine((targets) => Object.keys(targets).length <= 100, 'At most 100 assets')
  .refine((targets) => Object.values(targets).reduce((sum, share) => sum + share, 0) <= 1.000_001, 'More than 100 %');

export const portfolioSummary = z.object({
  id,
  name: z.string(),
  owner: personSummary,
  exchange: z.enum(exchangeTypes).describe('Whose prices it is valued with'),
  environment: z.enum(environments),
  trade_asset: z.string(),
  total: decimalText.describe('In the trade asset'),
  change_1d: portfolioMetric,
  is_yours: z.boolean(),
  updated_at: time,
});
export type PortfolioSummary = z.infer<typeof portfolioSummary>;

export const portfolioHolding = z.object({
  asset: z.string(),
  amount: decimalText,
  price: decimalText.nullable(),
  value: decimalText.nullable(),
  share: z.number().nullable().describe('Of the total'),
  target: z.number().nullable(),
  cost: decimalText.nullable().describe('Null where it is not known what it cost'),
  unrealised: decimalText.nullable(),
  realised: decimalText,
});
export type PortfolioHolding = z.infer<typeof portfolioHolding>;

export const portfolioDetail = portfolioSummary.extend({
  holdings: z.array(portfolioHolding),
  targets: z.record(z.string(), z.number()),
  returns: z.object({ '1d': portfolioMetric, '7d': portfolioMetric, '30d': portfolioMetric, max: portfolioMetric }),
  volatility: portfolioMetric,
  sharpe: portfolioMetric,
  sharpe_error: portfolioMetric,
  max_drawdown: portfolioMetric,
  realised: decimalText,
  unrealised: decimalText,
  fees: decimalText,
  deposits: decimalText,
  withdrawals: decimalText,
  equity: z
    .array(z.object({ day: z.string(), equity: z.number(), growth: z.number().describe('Of 1, deposits taken out') }))
    .describe('At the end of each day (UTC); the last is now'),
  connections: z.array(z.object({ id, type: z.enum(exchangeTypes), label: z.string() })),
  problems: z.array(z.string()).describe('What could not be read'),
  can_edit: z.boolean(),
});
export type PortfolioDetail = z.infer<typeof portfolioDetail>;

export const portfolioEntry = z.object({
  id,
  kind: z.enum(portfolioEntryKinds),
  asset: z.string(),
  amount: decimalText,
  price: decimalText,
  fee: decimalText,
  note: z.string(),
  at: time,
});
export type PortfolioEntry = z.infer<typeof portfolioEntry>;

export const newPortfolioEntry = z.strictObject({
  kind: z.enum(portfolioEntryKinds),
  asset: portfolioAsset,
  amount: decimalAmount.refine((value) => /[1-9]/.test(value), 'Must be more than zero'),
  price: decimalAmount.default('1').describe('Of one, in the trade asset'),
  fee: decimalAmount.default('0').describe('In the trade asset'),
  note: line(200).default(''),
  at: time.optional(),
});

export const rebalanceOrder = z.object({
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  amount: decimalText,
  value: decimalText,
});

export const rebalancePlan = z.object({
  orders: z.array(rebalanceOrder),
  skipped: z.array(z.object({ asset: z.string(), reason: z.string() })),
  shares: z.array(
    z.object({
      asset: z.string(),
      now: z.number().describe('Of all that the connection holds, open orders included'),
      target: z.number(),
      planned: z.number().describe('After the orders of the preview'),
    }),
  ),
});
export type RebalancePlan = z.infer<typeof rebalancePlan>;
