import type { ExchangeType } from '@atoll/contract';
import { exchangeInfo } from '@atoll/contract';
import {
  type DemoExchange,
  type DemoStore,
  demoExchange,
  type ExchangeAccount,
  ExchangeBusy,
  ExchangeKeyRefusal,
  ExchangeRefusal,
  ExchangeUnclear,
  type MarketData,
} from '@atoll/trading';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, denied } from '../../../platform/errors.ts';
import type { ConnectionRow } from '../table.ts';
import type { RealExchange } from '../worker/messages.ts';
import { demoStore } from './demo-store.ts';
import { remoteExchange } from './worker-client.ts';

/** The same prices on every server and after every start. */
export const demoSeed = 1;

const demo = appState((system): DemoExchange => demoExchange({ seed: demoSeed, now: () => system.now().getTime() }));

/** Those that are coming soon never connect, and the operator can turn all of them off. */
export function requireReachable(ctx: Context, type: ExchangeType): RealExchange {
  const { name, isComingSoon } = exchangeInfo[type];
  if (isComingSoon)
    throw new AppError('unprocessable_entity', `${name} is coming soon.`, {
      fields: { type: [`${name} is coming soon.`] },
    });
  if (!ctx.config.trading.isConnected)
    throw denied('disabled_in_configuration', 'This installation connects no exchanges.');
  return type as RealExchange;
}

export function dataOf(ctx: Context, type: ExchangeType): MarketData {
  return type === 'demo' ? demo(ctx) : remoteExchange(ctx, requireReachable(ctx, type), null);
}

export function accountOf(
  ctx: Context,
  connection: Pick<ConnectionRow, 'id' | 'type' | 'userId' | 'sealedKey' | 'sealId'>,
  store?: DemoStore,
): ExchangeAccount {
  const { id, type, userId, sealedKey, sealId } = connection;
  if (type === 'demo') return demo(ctx).account(id, store ?? demoStore(ctx));
  if (!sealedKey || !sealId) throw new AppError('gone', 'This connection was deleted.');
  return remoteExchange(ctx, requireReachable(ctx, type), { userId, connectionId: id, sealed: sealedKey, sealId });
}

/** What an exchange did not do, in words for the person who asked: theirs to know, and no fault of this server. */
export function exchangeProblem(error: unknown): unknown {
  if (error instanceof ExchangeRefusal)
    return new AppError('conflict', error.message, { details: { code: error.code } });
  if (error instanceof ExchangeKeyRefusal) {
    return new AppError('unprocessable_entity', `The exchange refused the key: ${error.message}`, {
      details: { code: 'key_refused' },
    });
  }
  if (error instanceof ExchangeBusy) {
    const seconds = Math.max(1, Math.ceil((error.until - Date.now()) / 1000));
    return new AppError('service_unavailable', error.message, {
      retryAfterSeconds: seconds,
      details: { retry_after: seconds },
    });
  }
  if (error instanceof ExchangeUnclear)
    return new AppError('bad_gateway', `The exchange did not answer: ${error.message}`);
  return error;
}
export const saying = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw exchangeProblem(error);
  });
