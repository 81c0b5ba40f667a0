import type { Market } from '../port.ts';

/** An asset of the demo. Names are those of real assets, prices are made up: every page says DEMO. */
export interface DemoAsset {
  asset: string;
  name: string;
  /** Where its price stands in the long run, in USDT. */
  basePrice: number;
  /** Of a year, 0.6 is 60 %. */
  volatility: number;
  /** How much of what all assets do it does too. */
  beta: number;
  supply: number;
  /** When its chain began. */
  since: string;
  priceDigits: number;
  amountDigits: number;
  /** Traded in a minute on average, in USDT. */
  minuteVolume: number;
  category: string;
}

const asset = (
  name: string,
  symbol: string,
  [basePrice, volatility, beta, supply, minuteVolume]: [number, number, number, number, number],
  [priceDigits, amountDigits]: [number, number],
  since: string,
  category: string,
): DemoAsset => ({
  ...{
    asset: symbol,
    name,
    basePrice,
    volatility,
    beta,
    supply,
    since,
    priceDigits,
    amountDigits,
    minuteVolume,
    category,
  },
});

export const demoAssets: DemoAsset[] = [
  asset('Bitcoin', 'BTC', [64_000, 0.45, 1, 19_800_000, 900_000], [2, 5], '2009-01-03', 'Store of value'),
  asset('Ethereum', 'ETH', [3_100, 0.6, 1.1, 120_500_000, 520_000], [2, 4], '2015-07-30', 'Smart contracts'),
  asset('Solana', 'SOL', [150, 0.8, 1.3, 470_000_000, 180_000], [2, 3], '2020-03-16', 'Smart contracts'),
  asset('BNB', 'BNB', [580, 0.5, 0.9, 145_000_000, 110_000], [1, 3], '2017-07-25', 'Exchange token'),
  asset('XRP', 'XRP', [0.62, 0.7, 1, 56_000_000_000, 140_000], [4, 0], '2012-06-02', 'Payments'),
  asset('Cardano', 'ADA', [0.48, 0.75, 1.1, 35_500_000_000, 60_000], [4, 1], '2017-09-23', 'Smart contracts'),
  asset('Dogecoin', 'DOGE', [0.14, 0.95, 1.2, 145_000_000_000, 95_000], [5, 0], '2013-12-06', 'Meme'),
  asset('Avalanche', 'AVAX', [31, 0.85, 1.3, 395_000_000, 40_000], [2, 2], '2020-09-21', 'Smart contracts'),
  asset('Chainlink', 'LINK', [15.5, 0.75, 1.1, 610_000_000, 45_000], [3, 2], '2017-09-19', 'Oracle'),
  asset('Polkadot', 'DOT', [6.4, 0.75, 1.1, 1_420_000_000, 30_000], [3, 2], '2020-05-26', 'Smart contracts'),
  asset('Litecoin', 'LTC', [82, 0.6, 0.9, 74_800_000, 35_000], [2, 3], '2011-10-07', 'Payments'),
  asset('Uniswap', 'UNI', [8.2, 0.85, 1.2, 600_000_000, 25_000], [3, 2], '2020-09-17', 'Decentralised exchange'),
];

export const demoQuote = 'USDT';
export const demoFee = '0.001';

export const demoSymbol = (asset: string): string => `${asset}/${demoQuote}`;

const step = (digits: number) => (digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`);

export const demoMarkets: Market[] = demoAssets.map(({ asset: base, amountDigits, priceDigits, basePrice }) => ({
  symbol: demoSymbol(base),
  base,
  quote: demoQuote,
  amountStep: step(amountDigits),
  priceTick: step(priceDigits),
  minAmount: step(amountDigits),
  maxAmount: String(Math.ceil(10_000_000 / basePrice)),
  minNotional: '5',
  makerFee: demoFee,
  takerFee: demoFee,
  isActive: true,
}));
