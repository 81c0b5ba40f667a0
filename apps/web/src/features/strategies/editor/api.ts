/** What strategies are written against, in words for the editor. Names are TypeScript's; Python has the same in snake case. */
export interface ApiEntry {
  name: string;
  /** What follows it, as it is called: `(length, of?)`; empty for a value. */
  call: string;
  text: string;
  /** Where it is offered: after a dot, or by itself. */
  of: 'global' | 'context' | 'market' | 'bars' | 'series' | 'option' | 'handler';
}

const entry = (of: ApiEntry['of'], name: string, call: string, text: string): ApiEntry => ({ of, name, call, text });

export const strategyApi: readonly ApiEntry[] = [
  entry('global', 'strategy', '({ parameters, warmUp, start })', 'A strategy: export default strategy({ … })'),
  entry('global', 'integer', '({ default, min, max, label })', 'A parameter that is a whole number'),
  entry('global', 'number', '({ default, min, max, step, label })', 'A parameter that is a number'),
  entry('global', 'boolean', '({ default, label })', 'A parameter that is on or off'),
  entry('global', 'choice', '({ default, options, label })', 'A parameter that is one of some texts'),

  entry('handler', 'parameters', '', 'They become a form and the ranges of a sweep'),
  entry('handler', 'markets', '', 'How many it trades: { min, max }; as a value, all of them'),
  entry('handler', 'timeframes', '', 'Longer ones that it reads, such as ["4h", "1d"]'),
  entry('handler', 'warmUp', '', 'Bars before the first decision: a number, or a function of the parameters'),
  entry('handler', 'start', '(context, parameters)', 'Makes indicators and returns { onBar() { … } }'),
  entry('handler', 'onBar', '()', 'After each bar. Orders are filled from the next bar on'),
  entry('handler', 'onFill', '(fill)', 'After an order was filled'),

  entry('context', 'market', '', 'The first market'),
  entry('context', 'now', '', 'When the present bar closed, in ms: the only clock there is'),
  entry('context', 'equity', '', 'Cash and what is held, at the last close'),
  entry('context', 'cash', '', 'Money that is not invested'),
  entry('context', 'weights', '(shares, { drift, reason })', 'Brings what is held to shares of the equity'),
  entry('context', 'random', '()', 'From 0 to below 1, the same for the same seed'),
  entry('context', 'log', '(text)', 'A line that is shown with the result'),
  entry('context', 'state', '', 'Plain data that a live run keeps over restarts'),

  entry('market', 'symbol', '', 'Such as BTC/USDT'),
  entry('market', 'base', '', 'Such as BTC'),
  entry('market', 'quote', '', 'Such as USDT; as an option, how much to spend or get'),
  entry('market', 'position', '', 'Held of the base'),
  entry('market', 'entryPrice', '', 'What is held cost on average; 0 without a position'),
  entry('market', 'barsHeld', '', 'Bars since the oldest of what is held was bought; -1 without a position'),
  entry('market', 'openOrders', '', 'How many orders wait'),
  entry('market', 'timeframe', '(interval)', 'Closed bars of a longer time frame, such as "4h"'),
  entry(
    'market',
    'buy',
    '({ percent, limit, stop, takeProfit, reason })',
    'Orders; answers its number, or 0 where it was rejected',
  ),
  entry('market', 'sell', '({ percent, limit, trigger, reason })', 'Sells what is held; answers the order’s number'),
  entry('market', 'closePosition', '(reason)', 'Sells all that is held, and cancels what waits'),
  entry('market', 'cancel', '(order?)', 'One order, or all of this market'),
  entry('market', 'protect', '({ stop, takeProfit })', 'Moves the stop and take-profit of all that is held'),

  entry('bars', 'interval', '', 'The time frame'),
  entry('bars', 'count', '', 'How many bars there are up to now'),
  entry('bars', 'isFresh', '', 'Whether a bar closed at this time'),
  entry('bars', 'time', '(barsAgo?)', 'When the bar opened, in ms'),
  entry('bars', 'open', '(barsAgo?)', 'The first price'),
  entry('bars', 'high', '(barsAgo?)', 'The highest price'),
  entry('bars', 'low', '(barsAgo?)', 'The lowest price'),
  entry('bars', 'close', '(barsAgo?)', 'The last price'),
  entry('bars', 'volume', '(barsAgo?)', 'What was traded'),
  entry('bars', 'sma', '(length, of?)', 'Mean of so many bars'),
  entry('bars', 'ema', '(length, of?)', 'Exponential mean'),
  entry('bars', 'rsi', '(length, of?)', 'Relative strength, 0 to 100'),
  entry('bars', 'atr', '(length)', 'Average true range, of Wilder'),
  entry('bars', 'standardDeviation', '(length, of?)', 'Spread of so many bars'),
  entry('bars', 'bollinger', '(length, deviations, of?)', '{ upper, middle, lower }'),
  entry('bars', 'donchian', '(length)', 'Highest high and lowest low: { upper, middle, lower }'),
  entry('bars', 'macd', '(fast, slow, signal, of?)', '{ line, signal, histogram }'),
  entry('bars', 'highest', '(length, of?)', 'Of so many bars, the present one included'),
  entry('bars', 'lowest', '(length, of?)', 'Of so many bars, the present one included'),
  entry('bars', 'momentum', '(length, of?)', 'The change over so many bars, as a share'),
  entry('bars', 'column', '(name, compute)', 'An indicator of one’s own; must not look ahead, which is tested'),

  entry('series', 'value', '', 'Now; NaN where there is none yet'),
  entry('series', 'ago', '(bars)', 'The value some bars ago'),
  entry('series', 'crossesAbove', '(other)', 'It was below or equal, and is above; other is a series or a number'),
  entry('series', 'crossesBelow', '(other)', 'It was above or equal, and is below'),
  entry('series', 'name', '', 'As it is shown in the view of a bar'),

  entry('option', 'amount', '', 'How much, of the base'),
  entry('option', 'percent', '', 'How much: of the equity when buying, of what is held when selling'),
  entry('option', 'limit', '', 'Not worse than this price'),
  entry('option', 'trigger', '', 'Waits until this price is reached'),
  entry('option', 'stop', '', 'Of a purchase: sells what was bought when the price falls to this'),
  entry('option', 'takeProfit', '', 'Of a purchase: sells what was bought when the price rises to this'),
  entry('option', 'goodForBars', '', 'Canceled after so many bars'),
  entry('option', 'reason', '', 'Shown with the order and its trade'),
];

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** As it is written in Python: options are named arguments there. */
export function inPython({ name, call, ...rest }: ApiEntry): ApiEntry {
  const words = snakeCase(call)
    .replace(
      /\(\{ (.*) \}\)/,
      (_, names: string) =>
        `(${names
          .split(', ')
          .map((each) => `${each}=`)
          .join(', ')})`,
    )
    .replaceAll('?', '=');
  return { ...rest, name: snakeCase(name), call: words };
}
