export const momentumRotation = `/** Holds the strongest of several assets in equal parts and looks again once in a while. */
export default strategy({
  markets: { min: 3, max: 50 },
  parameters: {
    length: integer({ default: 168, min: 24, max: 1000, label: 'Strength over', help: 'Bars' }),
    hold: integer({ default: 3, min: 1, max: 10, label: 'Assets held' }),
    every: integer({ default: 24, min: 1, max: 720, label: 'Look again every', help: 'Hours' }),
  },
  warmUp: (p) => p.length + 1,
  start({ markets, weights }, p) {
    const strengths = markets.map((market) => market.momentum(p.length));
    const hour = 3_600_000;
    return {
      onBar() {
        const now = markets[0].time();
        if (Math.floor(now / hour) % p.every !== 0) return;
        const strongest = markets
          .map((market, index) => ({ market, strength: strengths[index].value }))
          .filter(({ strength }) => strength > 0)
          .sort((a, b) => b.strength - a.strength)
          .slice(0, p.hold);
        const shares = {};
        for (const { market } of strongest) shares[market.symbol] = 0.98 / p.hold;
        weights(shares, { drift: 0.02, reason: 'The strongest' });
      },
    };
  },
});
`;
export const momentumRotationPython = `"""Holds the strongest of several assets in equal parts and looks again once in a while."""

from atoll_strategy import Strategy, integer

HOUR = 3_600_000


class MomentumRotation(Strategy):
    markets = (3, 50)
    length = integer(default=168, min=24, max=1000, label="Strength over", help="Bars")
    hold = integer(default=3, min=1, max=10, label="Assets held")
    every = integer(default=24, min=1, max=720, label="Look again every", help="Hours")

    def warm_up(self):
        return self.length + 1

    def start(self):
        self.strengths = [(market.symbol, market.momentum(self.length)) for market in self.markets]

    def on_bar(self):
        if self.market.time() // HOUR % self.every != 0:
            return
        rising = [(strength.value, symbol) for symbol, strength in self.strengths if strength.value > 0]
        strongest = sorted(rising, key=lambda each: each[0], reverse=True)[: self.hold]
        self.weights({symbol: 0.98 / self.hold for _, symbol in strongest}, drift=0.02, reason="The strongest")
`;
