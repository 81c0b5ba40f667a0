export const breakout = `/** Buys a new high in the direction of the longer trend, with a stop that follows and a goal. */
export default strategy({
  parameters: {
    length: integer({ default: 48, min: 10, max: 400, label: 'Channel', help: 'Bars' }),
    risk: number({ default: 3, min: 1, max: 10, step: 0.5, label: 'Stop', help: 'Average ranges below the price' }),
    goal: number({ default: 6, min: 1, max: 20, step: 0.5, label: 'Goal', help: 'Average ranges above the price' }),
  },
  timeframes: ['4h'],
  warmUp: (p) => Math.max(p.length, 300) + 1,
  start({ market }, p) {
    const channel = market.donchian(p.length);
    const range = market.atr(14);
    const trend = market.timeframe('4h').sma(20);
    return {
      onBar() {
        const price = market.close();
        if (market.position === 0) {
          if (price > channel.upper.ago(1) && price > trend.value) {
            market.buy({
              percent: 90,
              stop: price - p.risk * range.value,
              takeProfit: price + p.goal * range.value,
              reason: 'New high above the trend',
            });
          }
        } else {
          const stop = price - p.risk * range.value;
          if (stop > market.entryPrice) market.protect({ stop });
        }
      },
    };
  },
});
`;
export const breakoutPython = `"""Buys a new high in the direction of the longer trend, with a stop that follows and a goal."""

from atoll_strategy import Strategy, integer, number


class Breakout(Strategy):
    length = integer(default=48, min=10, max=400, label="Channel", help="Bars")
    risk = number(default=3, min=1, max=10, step=0.5, label="Stop", help="Average ranges below the price")
    goal = number(default=6, min=1, max=20, step=0.5, label="Goal", help="Average ranges above the price")
    timeframes = ["4h"]

    def warm_up(self):
        return max(self.length, 300) + 1

    def start(self):
        self.channel = self.market.donchian(self.length)
        self.range = self.market.atr(14)
        self.trend = self.market.timeframe("4h").sma(20)

    def on_bar(self):
        market = self.market
        price = market.close()
        stop = price - self.risk * self.range.value
        if market.position == 0:
            if price > self.channel.upper.ago(1) and price > self.trend.value:
                market.buy(
                    percent=90,
                    stop=stop,
                    take_profit=price + self.goal * self.range.value,
                    reason="New high above the trend",
                )
        elif stop > market.entry_price:
            market.protect(stop=stop)
`;
