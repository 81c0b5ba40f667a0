import { afterAll, beforeAll } from 'vitest';
import type { PythonConnection } from './connection.ts';
import { pythonForTests } from './testing.ts';

export let python: PythonConnection;
let close: () => Promise<void>;

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
  beforeAll(async () => {
    ({ python, close } = await pythonForTests());
  });
  afterAll(() => close());
}
