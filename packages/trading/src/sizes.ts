import { decimal, digitsOf, floorToStep, isMultiple } from './decimal.ts';
import type { Market, OrderRequest } from './port.ts';

/** Why a market would not take an order of this size or price; shown while typing, checked before sending. */
export interface SizeProblem {
  field: 'amount' | 'price' | 'stopPrice';
  code: 'required' | 'step' | 'tick' | 'too_small' | 'too_large' | 'notional';
  message: string;
}

const places = (step: string) => {
  const digits = digitsOf(step);
  if (digits === 0) return `multiples of ${step}`;
  return digits === 1 ? 'one digit after the point' : `${digits} digits after the point`;
};

/** The price an order is reckoned with before it is filled: its own, or the last one. */
export const reckonedPrice = (request: Pick<OrderRequest, 'type' | 'price' | 'stopPrice'>, last: string): string =>
  request.price ?? request.stopPrice ?? last;

export function sizeProblems(
  market: Market,
  request: Pick<OrderRequest, 'type' | 'amount' | 'price' | 'stopPrice'>,
  last: string,
): SizeProblem[] {
  const problems: SizeProblem[] = [];
  const checkPrice = (field: 'price' | 'stopPrice', name: string, isNeeded: boolean) => {
    const value = request[field];
    if (!isNeeded) return;
    if (value === null || decimal(value).lte(0)) {
      problems.push({ field, code: 'required', message: `Enter the ${name}` });
    } else if (!isMultiple(value, market.priceTick)) {
      problems.push({ field, code: 'tick', message: `Prices of ${market.symbol} have ${places(market.priceTick)}` });
    }
  };
  checkPrice('price', 'price', request.type === 'limit' || request.type === 'stop_limit');
  checkPrice('stopPrice', 'stop price', ['stop', 'stop_limit', 'take_profit'].includes(request.type));

  const amount = decimal(request.amount);
  const { base, quote } = market;
  const add = (code: SizeProblem['code'], message: string) => problems.push({ field: 'amount', code, message });
  if (amount.lte(0)) add('required', 'Enter an amount');
  else if (!isMultiple(amount, market.amountStep)) add('step', `Amounts of ${base} have ${places(market.amountStep)}`);
  else if (amount.lt(market.minAmount)) add('too_small', `The least is ${market.minAmount} ${base}`);
  else if (market.maxAmount && amount.gt(market.maxAmount)) add('too_large', `The most is ${market.maxAmount} ${base}`);
  else if (problems.length === 0 && amount.times(reckonedPrice(request, last)).lt(market.minNotional)) {
    add('notional', `The least is an order of ${market.minNotional} ${quote}`);
  }
  return problems;
}

/** An amount of the quote as one of the base, cut to what the market takes. */
export const amountFor = (market: Market, quoteAmount: string, price: string): string =>
  decimal(price).lte(0) ? '0' : floorToStep(decimal(quoteAmount).div(price), market.amountStep).toFixed();
