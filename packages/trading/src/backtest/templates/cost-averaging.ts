export const costAveraging = `/** Buys for the same sum again and again, more when the price has fallen. */
export default strategy({
  parameters: {
    every: integer({ default: 24, min: 1, max: 2000, label: 'Every', help: 'Bars' }),
    sum: number({ default: 25, min: 5, max: 10000, label: 'Sum', help: 'Of the quote' }),
    dip: number({ default: 10, min: 0, max: 80, label: 'Double below', help: 'Percent under the highest so far' }),
  },
  warmUp: 0,
  start({ market, state, log }, p) {
    state.bars ??= 0;
    return {
      onBar() {
        state.bars += 1;
        if (state.bars % p.every !== 0) return;
        state.highest = Math.max(state.highest ?? 0, market.close());
        const isLow = market.close() < state.highest * (1 - p.dip / 100);
        const order = market.buy({ quote: isLow ? 2 * p.sum : p.sum, reason: isLow ? 'Twice: it has fallen' : 'As planned' });
        if (order === 0 && !state.isEmpty) {
          state.isEmpty = true;
          log('The cash is used up');
        }
      },
    };
  },
});
`;
export const costAveragingPython = `"""Buys for the same sum again and again, more when the price has fallen."""

from atoll_strategy import Strategy, integer, number


class CostAveraging(Strategy):
    every = integer(default=24, min=1, max=2000, label="Every", help="Bars")
    sum = number(default=25, min=5, max=10000, label="Sum", help="Of the quote")
    dip = number(default=10, min=0, max=80, label="Double below", help="Percent under the highest so far")

    def start(self):
        self.state.setdefault("bars", 0)

    def on_bar(self):
        state, market = self.state, self.market
        state["bars"] += 1
        if state["bars"] % self.every != 0:
            return
        state["highest"] = max(state.get("highest", 0), market.close())
        is_low = market.close() < state["highest"] * (1 - self.dip / 100)
        order = market.buy(
            quote=2 * self.sum if is_low else self.sum,
            reason="Twice: it has fallen" if is_low else "As planned",
        )
        if order == 0 and not state.get("is_empty"):
            state["is_empty"] = True
            self.log("The cash is used up")
`;
