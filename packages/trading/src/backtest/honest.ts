/** Strategies that do nothing wrong: no check may accuse them. A new one is a line here. */

/** What is made in `start`, and what is done at each bar. */
export const honest: [name: string, before: string, body: string][] = [
  [
    'a cross of averages',
    'const [a, b] = [market.sma(5), market.ema(12)];',
    'if (a.crossesAbove(b)) market.buy({ percent: 50 }); if (a.crossesBelow(b)) market.closePosition();',
  ],
  [
    'strength',
    'const rsi = market.rsi(14);',
    'if (rsi.value < 35) market.buy({ percent: 20 }); if (rsi.value > 65) market.closePosition();',
  ],
  [
    'bands',
    'const { lower, middle } = market.bollinger(20, 2);',
    'if (market.close() < lower.value) market.buy({ percent: 50, takeProfit: middle.value * 1.001 });',
  ],
  [
    'a channel with stops',
    'const { upper } = market.donchian(20); const range = market.atr(10);',
    'if (market.close() >= upper.ago(1)) market.buy({ percent: 20, stop: market.close() - 2 * range.value });',
  ],
  [
    'MACD',
    'const { histogram } = market.macd(12, 26, 9);',
    'if (histogram.crossesAbove(0)) market.buy(); if (histogram.crossesBelow(0)) market.closePosition();',
  ],
  [
    'a stop that follows',
    '',
    'if (bar % 30 === 1) market.buy({ percent: 50 }); if (market.position > 0) market.protect({ stop: market.low(1) * 0.99 });',
  ],
  [
    'limit orders with a time',
    '',
    'if (bar % 10 === 0) market.buy({ percent: 10, limit: market.close() * 0.99, goodForBars: 5 }); if (market.barsHeld > 8) market.closePosition();',
  ],
  [
    'triggers',
    '',
    'if (bar % 15 === 0) market.buy({ percent: 30, trigger: market.high() * 1.002 }); if (bar % 15 === 12) market.closePosition();',
  ],
  [
    'a longer time frame',
    "const day = market.timeframe('1d');",
    'if (day.isFresh) { if (day.close() > day.open()) market.buy({ percent: 40 }); else market.closePosition(); }',
  ],
  [
    'an indicator of a longer time frame',
    "const four = market.timeframe('4h').ema(5);",
    'if (four.value < market.close()) market.buy({ percent: 5 }); else market.closePosition();',
  ],
  ['chance', '', 'if (random() < 0.05) market.buy({ percent: 20 }); else if (random() < 0.05) market.closePosition();'],
  [
    'the state of the run',
    '',
    'state.count = (state.count ?? 0) + 1; if (state.count % 20 === 3) market.buy({ percent: 20 }); if (state.count % 20 === 13) market.closePosition();',
  ],
  [
    'a closure',
    'let high = 0;',
    'high = Math.max(high, market.close()); if (market.close() < high * 0.97) { market.buy({ percent: 10 }); high = market.close(); }',
  ],
  [
    'a grid',
    '',
    'if (market.openOrders === 0) for (const step of [1, 2, 3]) market.buy({ percent: 10, limit: market.close() * (1 - step / 100), takeProfit: market.close() });',
  ],
  ['weights', '', 'if (bar % 24 === 0) weights({ BTC: bar % 48 === 0 ? 0.6 : 0.3 }, { drift: 0.02 });'],
  [
    'the time of the day',
    '',
    'const hour = new Map([[3, 1], [15, 2]]).get(Math.floor(market.time() / 3600000) % 24); if (hour === 1) market.buy({ percent: 20 }); if (hour === 2) market.closePosition();',
  ],
  [
    'a column of its own',
    "const mean = market.column('mean', ({ close }) => close.map((_, row) => (close[row] + (close[row - 1] ?? close[row])) / 2));",
    'if (mean.value > market.close() * 1.002) market.buy({ percent: 10 }); if (mean.value < market.close() * 0.998) market.closePosition();',
  ],
  [
    'a column that is summed up from its start',
    "const sum = market.column('flow', ({ close, open, volume }) => { let sum = 0; return close.map((each, row) => (sum += Math.sign(each - open[row]) * volume[row])); });",
    'if (sum.value > sum.ago(5)) market.buy({ percent: 10 }); else market.closePosition();',
  ],
  [
    'an average of a column',
    "const slow = market.sma(7, market.column('range', ({ high, low }) => high.map((each, row) => each - low[row])));",
    'if (market.high() - market.low() > 1.5 * slow.value) market.buy({ percent: 10 }); if (market.barsHeld > 5) market.closePosition();',
  ],
  [
    'averages that were made late',
    '',
    'if (bar > 30 && market.close() > market.sma(20).value) market.buy({ percent: 5 }); else market.closePosition();',
  ],
];

/** The same in Python with SciPy: what is imported, made in `start`, and done at each bar. */
export const honestWithScipy: [name: string, imports: string, start: string, body: string][] = [
  [
    'a filter',
    'from scipy.signal import lfilter',
    'self.smooth = self.market.column("smooth", lambda c: lfilter([0.2], [1, -0.8], c.close))',
    'if self.smooth.value < market.close():\n    market.buy(percent=5)\nelse:\n    market.close_position()',
  ],
  [
    'a line through the last bars',
    'from scipy.linalg import lstsq',
    'pass',
    'if bar > 20:\n    slope = lstsq([[each, 1] for each in range(20)], [market.close(19 - each) for each in range(20)])[0][0]\n    if slope > 0:\n        market.buy(percent=5)\n    else:\n        market.close_position()',
  ],
  [
    'waves',
    'from scipy.fft import rfft',
    'pass',
    'if bar > 32 and bar % 5 == 0:\n    wave = rfft([market.close(31 - each) for each in range(32)])[2]\n    if wave.real > 0:\n        market.buy(percent=10)\n    else:\n        market.close_position()',
  ],
  [
    'a root',
    'from scipy.optimize import brentq',
    'pass',
    'if bar % 10 == 0:\n    price = brentq(lambda each: each * each - market.close() ** 2, 0, 1e6)\n    market.buy(percent=10, limit=price * 0.995, good_for_bars=5)\nif market.bars_held > 8:\n    market.close_position()',
  ],
  [
    'a distribution',
    'import numpy as np\nfrom scipy.special import ndtr',
    'pass',
    'if bar > 30:\n    moves = np.diff([market.close(29 - each) for each in range(30)])\n    chance = ndtr((moves[-1] - moves.mean()) / moves.std())\n    if chance < 0.1:\n        market.buy(percent=20)\n    elif chance > 0.9:\n        market.close_position()',
  ],
];
