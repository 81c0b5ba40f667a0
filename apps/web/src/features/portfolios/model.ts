import type { PortfolioEntry, PortfolioMetric } from '@atoll/contract/portfolios/entity';

export const percentWords = (value: number, digits = 2): string =>
  `${value === 0 ? '' : value > 0 ? '+' : '−'}${Math.abs(value * 100).toFixed(digits)} %`;

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** In the trade asset, to the cent. */
export const moneyWords = (value: string | null): string => (value === null ? '–' : money.format(Number(value)));

export const shareWords = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);

/** A figure, or a dash; why there is none stands beside it. */
export const metricWords = ({ value }: PortfolioMetric, words: (value: number) => string): string =>
  value === null ? '–' : words(value);

export const kindWords: Record<PortfolioEntry['kind'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  buy: 'Buy',
  sell: 'Sell',
};
