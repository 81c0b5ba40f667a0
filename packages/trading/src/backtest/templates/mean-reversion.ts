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
