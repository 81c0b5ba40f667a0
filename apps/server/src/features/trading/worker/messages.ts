import type { Balance, Book, Candles, KeyRights, Market, OrderReport, Ticker } from '@atoll/trading';

/** What can be asked of the process that reaches exchanges. */
export interface Answers {
  markets: Market[];
  tickers: Ticker[];
  candles: Candles;
  book: Book;
  rights: KeyRights;
  balances: Balance[];
  place: OrderReport;
  find: OrderReport | null;
  openOrders: OrderReport[];
  filledSince: string[];
  cancel: OrderReport;
}
export type Method = keyof Answers;

/** A key as it is stored: opened in the worker and nowhere else. */
export interface SealedKey {
  userId: string;
  connectionId: string;
  sealed: string;
  sealId: string;
}

export type RealExchange = 'binance' | 'binance_testnet';

export interface Call {
  id: number;
  exchange: RealExchange;
  /** Where it answers. */
  url: string;
  key: SealedKey | null;
  method: Method;
  args: unknown[];
}

/** Errors as they travel between processes. */
export interface Failure {
  kind: 'refusal' | 'unclear' | 'busy' | 'key';
  message: string;
  code?: string;
  until?: number;
}

export type ToWorker = { keys: string[] } | Call;
export type FromWorker = { id: number; value: unknown } | { id: number; failure: Failure };
