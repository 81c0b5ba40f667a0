import type { Metric } from '../../metrics.ts';

/** How good the best of many tries looks when none of them is any good, and what is left after that. */

const euler = 0.577_215_664_901_532_9;

/** Of the standard normal distribution; the error is below 1e-7. */
export function normalShare(value: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(value));
  const density = Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI);
  const tail =
    density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return value >= 0 ? 1 - tail : tail;
}

/** The value below which a share of the standard normal distribution lies. */
export function normalValue(share: number): number {
  let [low, high] = [-10, 10];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The highest of so many ratios whose true value is zero, in standard errors. */
export function expectedHighest(tries: number): number {
  if (tries <= 1) return 0;
  return (1 - euler) * normalValue(1 - 1 / tries) + euler * normalValue(1 - 1 / (tries * Math.E));
}

/**
 * The probability that the true Sharpe ratio is above what the best of `tries` worthless strategies would show. `spread` is
 * the standard deviation of the ratios of all tries, where it is known; else that of the estimate itself.
 */
export function deflatedSharpe(sharpe: Metric, error: Metric, tries = 1, spread?: number): Metric {
  if (sharpe.value === null) return sharpe;
  if (error.value === null) return error;
  if (!(error.value > 0)) return { value: null, reason: 'the error of the ratio is not known' };
  const hurdle = expectedHighest(tries) * (spread ?? error.value);
  return { value: normalShare((sharpe.value - hurdle) / error.value) };
}
