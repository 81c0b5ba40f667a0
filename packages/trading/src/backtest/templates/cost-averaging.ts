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
