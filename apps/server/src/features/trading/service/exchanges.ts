import type { ExchangeType } from '@atoll/contract';
import { type DemoExchange, demoExchange, type ExchangeAccount, type MarketData } from '@atoll/trading';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import type { ConnectionRow } from '../table.ts';
import { demoStore } from './demo-store.ts';

/** The same prices on every server and after every start. */
const demoSeed = 1;

const demo = appState((system): DemoExchange => demoExchange({ seed: demoSeed, now: () => system.now().getTime() }));

const notThere = (type: ExchangeType) =>
  new AppError('not_implemented', `This server does not reach ${type}.`, {
    details: { reason: 'disabled_in_configuration' },
  });

export function dataOf(ctx: Context, type: ExchangeType): MarketData {
  if (type === 'demo') return demo(ctx);
  throw notThere(type);
}

export function accountOf(ctx: Context, connection: Pick<ConnectionRow, 'id' | 'type'>): ExchangeAccount {
  if (connection.type === 'demo') return demo(ctx).account(connection.id, demoStore(ctx));
  throw notThere(connection.type);
}
