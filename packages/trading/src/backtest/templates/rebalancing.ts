export const rebalancing = `/** Holds the assets in equal shares and trades when one has drifted away. */
export default strategy({
  markets: { min: 2, max: 50 },
  parameters: {
    invested: number({ default: 90, min: 10, max: 100, label: 'Invested', help: 'Percent of the equity' }),
    drift: number({ default: 2, min: 0.1, max: 20, step: 0.1, label: 'Drift', help: 'Percent of the equity' }),
  },
  warmUp: 0,
  start({ markets, weights }, p) {
    const share = p.invested / 100 / markets.length;
    const shares = Object.fromEntries(markets.map((market) => [market.symbol, share]));
    return {
      onBar() {
        weights(shares, { drift: p.drift / 100, reason: 'Back to its share' });
      },
    };
  },
});
`;
export const rebalancingPython = `"""Holds the assets in equal shares and trades when one has drifted away."""

from atoll_strategy import Strategy, number


class Rebalancing(Strategy):
    markets = (2, 50)
    invested = number(default=90, min=10, max=100, label="Invested", help="Percent of the equity")
    drift = number(default=2, min=0.1, max=20, step=0.1, label="Drift", help="Percent of the equity")

    def start(self):
        share = self.invested / 100 / len(self.markets)
        self.shares = {market.symbol: share for market in self.markets}

    def on_bar(self):
        self.weights(self.shares, drift=self.drift / 100, reason="Back to its share")
`;
