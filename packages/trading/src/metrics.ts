/** One definition of every figure, for backtests, live runs, portfolios and cards. Days are UTC, a year has 365. */

const daysOfYear = 365;
const enoughDays = 30;
const noVariance = 1e-12;

/** A figure, or why there is none. */
export type Metric = { value: number; reason?: undefined } | { value: null; reason: string };

const known = (value: number): Metric => ({ value });
const none = (reason: string): Metric => ({ value: null, reason });
const tooShort = none('too short to say: needs 30 days');

export interface DayValue {
  /** Start of the UTC day, in ms. */
  day: number;
  /** At the end of the day, after fees. */
  equity: number;
  /** Paid in less paid out during the day. */
  flow: number;
}

/** Returns of days with deposits and withdrawals taken out. A day that begins with nothing has none. */
export function dailyReturns(start: number, days: readonly DayValue[]): number[] {
  const returns: number[] = [];
  let before = start;
  for (const { equity, flow } of days) {
    if (before > 0) returns.push((equity - flow) / before - 1);
    before = equity;
  }
  return returns;
}

const mean = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length;
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - middle) ** 2, 0) / (values.length - 1));
}

export function totalReturn(returns: readonly number[]): Metric {
  if (returns.length === 0) return none('no day is over yet');
  return known(returns.reduce((total, value) => total * (1 + value), 1) - 1);
}

export function cagr(returns: readonly number[], days = returns.length): Metric {
  if (days < enoughDays) return tooShort;
  return annualised(totalReturn(returns).value ?? 0, days);
}
const annualised = (total: number, days: number): Metric =>
  known(total <= -1 ? -1 : (1 + total) ** (daysOfYear / days) - 1);

export function volatility(returns: readonly number[]): Metric {
  if (returns.length < 2) return none('needs two days');
  return known(deviation(returns) * Math.sqrt(daysOfYear));
}

/** `least` is for tests of the formula: what is shown needs 30 days. */
export function sharpe(returns: readonly number[], riskFree = 0, least = enoughDays): Metric {
  if (returns.length < least) return tooShort;
  const daily = (1 + riskFree) ** (1 / daysOfYear) - 1;
  const spread = deviation(returns);
  if (spread < noVariance) return none('the value never moved');
  return known(((mean(returns) - daily) / spread) * Math.sqrt(daysOfYear));
}

/** The standard error of the annualised Sharpe ratio; skewness and kurtosis make it wider. */
export function sharpeError(returns: readonly number[]): Metric {
  const count = returns.length;
  if (count < enoughDays) return tooShort;
  const middle = mean(returns);
  const moment = (power: number) => mean(returns.map((value) => (value - middle) ** power));
  const variance = moment(2);
  if (Math.sqrt(variance) < noVariance) return none('the value never moved');
  const ratio = middle / deviation(returns);
  const skewness = moment(3) / variance ** 1.5;
  const kurtosis = moment(4) / variance ** 2;
  const error = Math.sqrt((1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / (count - 1));
  return known(error * Math.sqrt(daysOfYear));
}

export function sortino(returns: readonly number[], least = enoughDays): Metric {
  if (returns.length < least) return tooShort;
  const downside = Math.sqrt(mean(returns.map((value) => Math.min(value, 0) ** 2)));
  if (downside < noVariance) return none('no day ended lower');
  return known((mean(returns) / downside) * Math.sqrt(daysOfYear));
}

export interface Drawdown {
  /** At most zero: −0.1 is ten percent under the highest value so far. */
  depth: number;
  days: number;
  isUnderWater: boolean;
}
/** Of the value chained from returns, from before the first day. */
export function maxDrawdown(returns: readonly number[]): Drawdown | null {
  if (returns.length === 0) return null;
  let [value, peak, depth, under, longest] = [1, 1, 0, 0, 0];
  for (const each of returns) {
    value *= 1 + each;
    if (value >= peak) {
      peak = value;
      under = 0;
    } else under++;
    longest = Math.max(longest, under);
    depth = Math.min(depth, value / peak - 1);
  }
  return { depth, days: longest, isUnderWater: under > 0 };
}

export function calmar(returns: readonly number[], least = enoughDays): Metric {
  if (returns.length < least) return tooShort;
  const depth = maxDrawdown(returns)?.depth ?? 0;
  if (depth === 0) return none('it never fell');
  return known((annualised(totalReturn(returns).value ?? 0, returns.length).value ?? 0) / Math.abs(depth));
}

/** Of closed trades, net of fees; those that came to nothing count for neither side. */
export function winRate(results: readonly number[]): Metric {
  const [won, lost] = [results.filter((each) => each > 0).length, results.filter((each) => each < 0).length];
  return won + lost === 0 ? none('no trade is closed') : known(won / (won + lost));
}
export function profitFactor(results: readonly number[]): Metric {
  const gains = results.filter((each) => each > 0).reduce((total, each) => total + each, 0);
  const losses = results.filter((each) => each < 0).reduce((total, each) => total - each, 0);
  if (losses === 0) return none(gains > 0 ? 'no losses' : 'no trade is closed');
  return known(gains / losses);
}

/** Over the last days; nothing rather than zero where the history is shorter. */
export function windowReturn(returns: readonly number[], days: number | null): Metric {
  if (days === null) return totalReturn(returns);
  if (returns.length < days) return none(`needs ${days} ${days === 1 ? 'day' : 'days'}`);
  return totalReturn(returns.slice(-days));
}
