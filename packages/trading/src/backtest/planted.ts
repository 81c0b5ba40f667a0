import { onBar } from './testing.ts';

/** Strategies that look ahead, as one writes them by mistake. */

/** Buys and sells by a line that knows too much, and only now and then. */
export const trades = (condition: string) =>
  `if (market.position === 0) { if (${condition}) market.buy() } else if (!(${condition})) market.closePosition();`;

export const planted: [name: string, code: string][] = [
  [
    'a column that is shifted by one bar',
    onBar(
      trades('next.value > market.close() * 1.009'),
      "const next = market.column('next', ({ close }) => close.map((_, row) => close[row + 1] ?? close[row]));",
    ),
  ],
  [
    'a column in units of the whole frame',
    onBar(
      trades('high.value > 0.6'),
      `const high = market.column('high', ({ close }) => {
        const [low, top] = [Math.min(...close), Math.max(...close)];
        return close.map((each) => (each - low) / (top - low));
      });`,
    ),
  ],
  [
    'an average around the bar instead of before it',
    onBar(
      trades('middle.value > market.close() * 1.003'),
      `const middle = market.column('middle', ({ close }) => close.map((_, row) => {
        const part = close.slice(Math.max(row - 5, 0), row + 6);
        return part.reduce((total, each) => total + each, 0) / part.length;
      }));`,
    ),
  ],
  [
    'columns that were kept for later',
    onBar(
      trades('kept.close[bar] > market.close() * 1.009'),
      "let kept; market.column('kept', (columns) => { kept = columns; return columns.close; });",
    ),
  ],
  [
    'a longer bar that is not over',
    onBar(
      trades('day.value > market.close() * 1.02'),
      `const day = market.column('day', ({ time, close }) => {
        const last = new Map();
        for (let row = 0; row < time.length; row++) last.set(Math.floor(time[row] / 86400000), close[row]);
        return Array.from(time, (each) => last.get(Math.floor(each / 86400000)));
      });`,
    ),
  ],
  [
    'values that are filled in from behind',
    onBar(
      trades('filled.value > market.close() * 1.01'),
      `const filled = market.column('filled', ({ close }) => {
        const values = Array.from(close, (each, row) => (row % 7 === 0 ? each : NaN));
        for (let row = values.length - 2; row >= 0; row--) if (Number.isNaN(values[row])) values[row] = values[row + 1];
        return values;
      });`,
    ),
  ],
  [
    'the number of bars there will be',
    onBar(
      'if (bar === count - 500) market.buy(); if (bar === count - 100) market.closePosition();',
      'let count = 0; market.column("count", ({ close }) => { count = close.length; return close; });',
    ),
  ],
  [
    'a built-in line over a column that looks ahead',
    onBar(
      trades('smooth.value > market.close() * 1.002'),
      "const smooth = market.sma(3, market.column('next', ({ close }) => close.map((_, row) => close[row + 3] ?? close[row])));",
    ),
  ],
  [
    'a column of a longer time frame',
    onBar(
      trades('next.value > market.close() * 1.01'),
      "const next = market.timeframe('4h').column('next', ({ close }) => close.map((_, row) => close[row + 1] ?? close[row]));",
    ),
  ],
];
