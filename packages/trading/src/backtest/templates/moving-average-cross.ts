export const movingAverageCross = `/** Buys when a fast average rises above a slow one and sells when it falls below. */
export default strategy({
  parameters: {
    fast: integer({ default: 20, min: 2, max: 200, label: 'Fast average', help: 'Bars' }),
    slow: integer({ default: 50, min: 5, max: 400, label: 'Slow average', help: 'Bars' }),
  },
  warmUp: (p) => Math.max(p.fast, p.slow) + 1,
  start({ market }, p) {
    const fast = market.sma(p.fast);
    const slow = market.sma(p.slow);
    return {
      onBar() {
        if (fast.crossesAbove(slow)) {
          if (market.position === 0) market.buy({ percent: 100, reason: 'Fast above slow' });
        } else if (fast.crossesBelow(slow) && market.position > 0) {
          market.closePosition('Fast below slow');
        }
      },
    };
  },
});
`;
export const movingAverageCrossPython = `"""Buys when a fast average rises above a slow one and sells when it falls below."""

from atoll_strategy import Strategy, integer


class MovingAverageCross(Strategy):
    fast = integer(default=20, min=2, max=200, label="Fast average", help="Bars")
    slow = integer(default=50, min=5, max=400, label="Slow average", help="Bars")

    def warm_up(self):
        return max(self.fast, self.slow) + 1

    def start(self):
        self.fast_line = self.market.sma(self.fast)
        self.slow_line = self.market.sma(self.slow)

    def on_bar(self):
        market = self.market
        if self.fast_line.crosses_above(self.slow_line):
            if market.position == 0:
                market.buy(percent=100, reason="Fast above slow")
        elif self.fast_line.crosses_below(self.slow_line) and market.position > 0:
            market.close_position("Fast below slow")
`;
