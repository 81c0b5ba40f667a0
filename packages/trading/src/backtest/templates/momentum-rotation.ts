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
