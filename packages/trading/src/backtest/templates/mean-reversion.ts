export const meanReversion = `/** Buys what has fallen far below its average and sells it when it is back. */
export default strategy({
  parameters: {
    length: integer({ default: 20, min: 5, max: 200, label: 'Average', help: 'Bars' }),
    deviations: number({ default: 2, min: 0.5, max: 4, step: 0.1, label: 'Distance', help: 'Standard deviations' }),
    stop: number({ default: 5, min: 0.5, max: 30, step: 0.5, label: 'Stop', help: 'Percent below the purchase' }),
  },
  warmUp: (p) => 15 * Math.max(p.length, 14),
  start({ market }, p) {
    const bands = market.bollinger(p.length, p.deviations);
    const rsi = market.rsi(14);
    return {
      onBar() {
        const price = market.close();
        if (market.position === 0) {
          if (price < bands.lower.value && rsi.value < 40) {
            market.buy({ percent: 95, stop: price * (1 - p.stop / 100), reason: 'Below the lower band' });
          }
        } else if (price > bands.middle.value) market.closePosition('Back at the average');
      },
    };
  },
});
`;
export const meanReversionPython = `"""Buys what has fallen far below its average and sells it when it is back."""

from atoll_strategy import Strategy, integer, number


class MeanReversion(Strategy):
    length = integer(default=20, min=5, max=200, label="Average", help="Bars")
    deviations = number(default=2, min=0.5, max=4, step=0.1, label="Distance", help="Standard deviations")
    stop = number(default=5, min=0.5, max=30, step=0.5, label="Stop", help="Percent below the purchase")

    def warm_up(self):
        return 15 * max(self.length, 14)

    def start(self):
        self.bands = self.market.bollinger(self.length, self.deviations)
        self.rsi = self.market.rsi(14)

    def on_bar(self):
        market = self.market
        price = market.close()
        if market.position == 0:
            if price < self.bands.lower.value and self.rsi.value < 40:
                market.buy(percent=95, stop=price * (1 - self.stop / 100), reason="Below the lower band")
        elif price > self.bands.middle.value:
            market.close_position("Back at the average")
`;
