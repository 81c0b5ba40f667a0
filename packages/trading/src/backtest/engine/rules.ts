import type { Market } from '../../port.ts';
import type { MarketRules } from '../job.ts';

/** A market's rules as the simulation takes them: today's, for old prices too. */
export const rulesOf = ({ amountStep, priceTick, minAmount, maxAmount, minNotional }: Market): MarketRules => ({
  ...{ amountStep: Number(amountStep), priceTick: Number(priceTick), minAmount: Number(minAmount) },
  ...{ maxAmount: maxAmount === null ? null : Number(maxAmount), minNotional: Number(minNotional) },
});
