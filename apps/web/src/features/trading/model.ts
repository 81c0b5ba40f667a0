import type { MarketRules, TradingAsset, TradingOrder } from '@atoll/contract/trading/entity';
import { type Environment, type ExchangeType, exchangeTypes } from '@atoll/contract/trading/values';
import type { Market } from '@atoll/trading/port';

export const exchangeTabs = ['exchanges', 'markets', 'orders'] as const;
export type ExchangeTab = (typeof exchangeTabs)[number];

export interface ExchangesSearch {
  tab?: ExchangeTab;
  exchange?: ExchangeType;
}

export function parseExchangesSearch({ tab, exchange }: Record<string, unknown>): ExchangesSearch {
  return {
    ...(exchangeTabs.includes(tab as ExchangeTab) && tab !== 'exchanges' ? { tab: tab as ExchangeTab } : {}),
    ...(exchangeTypes.includes(exchange as ExchangeType) && exchange !== 'demo'
      ? { exchange: exchange as ExchangeType }
      : {}),
  };
}

export const environmentWords: Record<Environment, string> = { demo: 'DEMO', testnet: 'TESTNET', live: 'LIVE' };
export const environmentHelp: Record<Environment, string> = {
  demo: 'Prices and money are made up.',
  testnet: 'A test exchange: its money is worth nothing.',
  live: 'Real money.',
};

export const chartRanges = {
  '1D': { interval: '1m', days: 1 },
  '1W': { interval: '15m', days: 7 },
  '1M': { interval: '1h', days: 30 },
  '1Y': { interval: '1d', days: 365 },
  '5Y': { interval: '1d', days: 1825 },
} as const;
export type ChartRange = keyof typeof chartRanges;

export const exchangeOfAsset = (id: string): ExchangeType => id.slice(0, id.indexOf('-')) as ExchangeType;

/** As the market writes its prices; without a price, a dash. */
export function priceWords(price: string | number | null): string {
  if (price === null) return '–';
  const value = Number(price);
  const size = Math.abs(value);
  const digits = size >= 1_000 ? 2 : size >= 1 ? 3 : 5;
  return value.toLocaleString('en', { minimumFractionDigits: Math.min(digits, 2), maximumFractionDigits: digits });
}

const amountFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 8 });
export const amountWords = (amount: string): string => amountFormat.format(Number(amount));

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const compactWords = (value: string | number | null): string =>
  value === null ? '–' : compact.format(Number(value));

export const changeWords = (percent: number | null): string =>
  percent === null ? '–' : `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(2)} %`;

export const ageWords = (days: number | null): string => {
  if (days === null) return '–';
  const years = Math.floor(days / 365);
  return years > 0 ? `${years} ${years === 1 ? 'year' : 'years'}` : `${days} days`;
};

export const typeWords: Record<TradingOrder['type'], string> = {
  market: 'Market',
  limit: 'Limit',
  stop: 'Stop',
  stop_limit: 'Stop limit',
  take_profit: 'Take profit',
};
export const stateWords: Record<TradingOrder['state'], string> = {
  formed: 'Being sent',
  open: 'Open',
  closed: 'Filled',
  canceled: 'Canceled',
  expired: 'Expired',
  rejected: 'Rejected',
};
export const sideWords: Record<TradingOrder['side'], string> = { buy: 'Buy', sell: 'Sell' };

interface Price {
  last: string;
  change: number | null;
  volume: string | null;
}
interface Priced {
  price: string | null;
  change: number | null;
  volume: string | null;
}

/** An asset with the price that came; before it was loaded there is none to change. */
export const withPrice =
  ({ last, change, volume }: Price) =>
  <Asset extends Priced>(asset: Asset | undefined): Asset | undefined =>
    asset && { ...asset, price: last, change, volume };

/** A list with the prices that came, where they are of its exchange; the others stay the same objects. */
export const withPrices = (exchange: ExchangeType, entries: (Price & { symbol: string })[]) => {
  const bySymbol = new Map(entries.map((each) => [each.symbol, each]));
  return <List extends { entries: TradingAsset[] }>(list: List | undefined): List | undefined =>
    list && {
      ...list,
      entries: list.entries.map((asset) => {
        const price = asset.remote_type === exchange ? bySymbol.get(asset.remote_id) : undefined;
        return price ? (withPrice(price)(asset) ?? asset) : asset;
      }),
    };
};

/** What the checks of sizes take. */
export const marketOf = (rules: MarketRules): Market => ({
  symbol: rules.symbol,
  base: rules.base,
  quote: rules.quote,
  amountStep: rules.amount_step,
  priceTick: rules.price_tick,
  minAmount: rules.min_amount,
  maxAmount: rules.max_amount,
  minNotional: rules.min_notional,
  makerFee: rules.maker_fee,
  takerFee: rules.taker_fee,
  isActive: rules.is_active,
});
