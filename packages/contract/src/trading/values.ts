/** Apart from the schemas: the browser needs these and no zod. */

/** The spec's exchange types, in the order in which they are shown. */
export const exchangeTypes = ['demo', 'binance_testnet', 'binance', 'kraken', 'kucoin', 'gateio'] as const;
export type ExchangeType = (typeof exchangeTypes)[number];

export const environments = ['demo', 'testnet', 'live'] as const;
export type Environment = (typeof environments)[number];

export const exchangeInfo: Record<ExchangeType, { name: string; environment: Environment; isComingSoon: boolean }> = {
  demo: { name: 'Demo', environment: 'demo', isComingSoon: false },
  binance_testnet: { name: 'Binance Testnet', environment: 'testnet', isComingSoon: false },
  binance: { name: 'Binance', environment: 'live', isComingSoon: false },
  kraken: { name: 'Kraken', environment: 'live', isComingSoon: true },
  kucoin: { name: 'KuCoin', environment: 'live', isComingSoon: true },
  gateio: { name: 'Gate.io', environment: 'live', isComingSoon: true },
};

export const orderSides = ['buy', 'sell'] as const;
export const tradingOrderTypes = ['market', 'limit', 'stop', 'stop_limit', 'take_profit'] as const;
/** The spec's order states. `formed` is stored here and not known to the exchange yet. */
export const tradingOrderStates = ['formed', 'open', 'closed', 'canceled', 'expired', 'rejected'] as const;
/** Who made an order. `foreign` came to the exchange by another way and was found there. */
export const orderSources = ['person', 'portfolio', 'notebook', 'strategy', 'foreign'] as const;
export const tradingStates = ['active', 'reducing', 'halted'] as const;
export const chartIntervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export const mostChartPoints = 4_000;

/** Typed to arm a connection that trades real money. */
export const armingWord = 'LIVE';
