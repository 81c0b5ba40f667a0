export const grid = `/** Waits below the price with several purchases, each with its own sale a step higher. */
export default strategy({
  parameters: {
    levels: integer({ default: 5, min: 1, max: 20, label: 'Levels' }),
    distance: number({ default: 1.5, min: 0.2, max: 10, step: 0.1, label: 'Distance', help: 'Percent between levels' }),
    share: number({ default: 15, min: 1, max: 50, label: 'Share', help: 'Percent of the equity for each level' }),
  },
  warmUp: 0,
  start({ market, state }, p) {
    return {
      onBar() {
        const price = market.close();
        const step = p.distance / 100;
        // Around a new middle when the price has left the grid and nothing is held.
        const isOutside = state.middle === undefined || Math.abs(price / state.middle - 1) > step * (p.levels + 1);
        if (isOutside && market.position === 0) {
          market.cancel();
          state.middle = price;
        }
        if (market.openOrders > 0 || market.position > 0) return;
        for (let level = 1; level <= p.levels; level++) {
          const limit = state.middle * (1 - step * level);
          if (limit >= price) continue;
          market.buy({ percent: p.share, limit, takeProfit: limit * (1 + step), reason: 'Level ' + level });
        }
      },
    };
  },
});
`;
export const gridPython = `"""Waits below the price with several purchases, each with its own sale a step higher."""

from atoll_strategy import Strategy, integer, number


class Grid(Strategy):
    levels = integer(default=5, min=1, max=20, label="Levels")
    distance = number(default=1.5, min=0.2, max=10, step=0.1, label="Distance", help="Percent between levels")
    share = number(default=15, min=1, max=50, label="Share", help="Percent of the equity for each level")

    def on_bar(self):
        state, market = self.state, self.market
        price = market.close()
        step = self.distance / 100
        # Around a new middle when the price has left the grid and nothing is held.
        middle = state.get("middle")
        is_outside = middle is None or abs(price / middle - 1) > step * (self.levels + 1)
        if is_outside and market.position == 0:
            market.cancel()
            state["middle"] = price
        if market.open_orders > 0 or market.position > 0:
            return
        for level in range(1, self.levels + 1):
            limit = state["middle"] * (1 - step * level)
            if limit < price:
                market.buy(percent=self.share, limit=limit, take_profit=limit * (1 + step), reason=f"Level {level}")
`;
