import { afterAll, beforeAll } from 'vitest';
import type { Hosts } from '../hosts/host.ts';
import { hostsForTests } from '../hosts/testing.ts';

export let python: Hosts;
let close: () => void;

export const hour = 3_600_000;

/** A strategy whose `on_bar` is the text; `bar` counts from 1. */
export const strategyOf = (body: string, more = '') => {
  const indented = (text: string) => text.trim().split('\n').join('\n        ');
  return `from atoll_strategy import Strategy, integer, number, boolean, choice

class Mine(Strategy):
    markets = (1, 9)
    ${more.trim().split('\n').join('\n    ')}

    def on_bar(self):
        market, markets, state = self.market, self.markets, self.state
        bar = market.count
        ${indented(body)}
`;
};

export function usePython(): void {
  beforeAll(() => {
    ({ hosts: python, close } = hostsForTests('python'));
  });
  afterAll(() => close());
}
