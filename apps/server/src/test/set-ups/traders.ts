import type { ExchangeConnection, TradingBalance, TradingOrder } from '@atoll/contract';
import { beforeAll } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

/** People who trade on the demo. */

export let app: TestApp;

export interface Trader {
  id: string;
  token: string;
  connection: ExchangeConnection;
}

export async function trader(): Promise<Trader> {
  const { id, token } = await app.person();
  const { body } = await app.call<{ entries: ExchangeConnection[] }>('GET', '/v1/exchange_connections', { token });
  return { id, token, connection: body.entries[0] as ExchangeConnection };
}

export const order = (who: Trader, change: object = {}) =>
  app.post<TradingOrder & { details?: { code: string }; message?: string }>(who.token, '/v1/trading/orders', {
    ...{ connection_id: who.connection.id, request_id: newId(), symbol: 'BTC/USDT', side: 'buy', type: 'market' },
    amount: '0.01',
    ...change,
  });
export const balance = async ({ token }: Trader) =>
  (await app.call<{ entries: TradingBalance[]; total: string }>('GET', '/v1/trading/balance', { token })).body;
export const of = (entries: TradingBalance[], asset: string) => entries.find((each) => each.asset === asset);
export const last = async (token: string, symbol = 'BTC/USDT') =>
  (
    await app.call<{ entries: { symbol: string; last: string }[] }>('GET', '/v1/trading/demo/tickers', { token })
  ).body.entries.find((each) => each.symbol === symbol)?.last ?? '';
export const pass = (minutes: number) => {
  app.clock.time += minutes * 60_000;
};

export function useTraders(): void {
  beforeAll(async () => {
    app = await createTestApp({ keepOpen: true });
    return () => app.close();
  });
}
