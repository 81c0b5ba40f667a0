import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import {
  type ExchangeAccount,
  ExchangeBusy,
  ExchangeKeyRefusal,
  ExchangeRefusal,
  ExchangeUnclear,
  type MarketData,
} from '@atoll/trading';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { Answers, Call, Failure, FromWorker, Method, RealExchange, SealedKey } from '../worker/messages.ts';

const main = join(import.meta.dirname, '../worker/main.ts');
/** Longer than the worker waits for an exchange, with a call before it that sets the clock. */
const answerMs = 35_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

const errorOf = ({ kind, message, code, until }: Failure): Error => {
  if (kind === 'refusal') return new ExchangeRefusal(code ?? '', message);
  if (kind === 'busy') return new ExchangeBusy(until ?? 0, message);
  return kind === 'key' ? new ExchangeKeyRefusal(message) : new ExchangeUnclear(message);
};

/** The process that reaches exchanges: begun with the first call, and again after it ended. */
export const tradingWorker = appState((system) => {
  const waiting = new Map<number, Waiting>();
  let worker: ChildProcess | null = null;
  let lastId = 0;

  function begin(): ChildProcess {
    // Nothing of this server's environment: what it needs is sent to it.
    const started = fork(main, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH },
    });
    started.send({ keys: system.config.secretKeys.map((key) => key.toString('hex')) });
    started.on('message', (message: FromWorker) => {
      const call = waiting.get(message.id);
      if (!call) return;
      waiting.delete(message.id);
      clearTimeout(call.timer);
      if ('failure' in message) call.reject(errorOf(message.failure));
      else call.resolve(message.value);
    });
    started.on('exit', () => {
      if (worker === started) worker = null;
      for (const [id, { reject, timer }] of waiting) {
        clearTimeout(timer);
        waiting.delete(id);
        reject(new ExchangeUnclear('The process that trades ended before it answered'));
      }
    });
    started.on('error', (error) => system.log.error({ err: error }, 'trading worker'));
    started.unref();
    started.channel?.unref();
    return started;
  }

  return {
    call<Name extends Method>(
      call: Omit<Call, 'id' | 'method' | 'args'>,
      method: Name,
      args: unknown[],
    ): Promise<Answers[Name]> {
      worker ??= begin();
      const id = ++lastId;
      const asked = worker;
      return new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new ExchangeUnclear('The exchange did not answer in time'));
        }, answerMs);
        waiting.set(id, { resolve, reject, timer });
        asked.send({ ...call, id, method, args } satisfies Call);
      }) as Promise<Answers[Name]>;
    },
    get pid() {
      return worker?.pid ?? null;
    },
    stop() {
      worker?.disconnect();
      worker = null;
    },
  };
});

/** An exchange behind the worker; without a key, what everybody can see of it. */
export function remoteExchange(
  ctx: Context,
  exchange: RealExchange,
  key: SealedKey | null,
): MarketData & ExchangeAccount {
  const url = ctx.config.trading.urls[exchange];
  const ask =
    <Name extends Method>(method: Name) =>
    (...args: unknown[]) =>
      tradingWorker(ctx).call({ exchange, url, key }, method, args);
  return {
    markets: ask('markets'),
    tickers: ask('tickers'),
    candles: ask('candles'),
    book: ask('book'),
    rights: ask('rights'),
    balances: ask('balances'),
    place: ask('place'),
    find: ask('find'),
    openOrders: ask('openOrders'),
    filledSince: ask('filledSince'),
    cancel: ask('cancel'),
  };
}
