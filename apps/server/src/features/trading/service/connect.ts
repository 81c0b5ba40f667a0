import type { ExchangeConnection, ExchangeType } from '@atoll/contract';
import { exchangeInfo } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';

export interface NewConnection {
  type: ExchangeType;
  label: string;
  api_key: string;
  secret: string;
}

/** Checked before it is stored: the right exchange, reading and trading, and nothing beyond. */
export async function connectExchange(
  _ctx: Context,
  input: NewConnection,
): Promise<ExchangeConnection & { warnings: string[] }> {
  const { name, isComingSoon } = exchangeInfo[input.type];
  if (input.type === 'demo') throw new AppError('conflict', 'Your demo account is there already.');
  if (isComingSoon) throw invalidField('type', `${name} is coming soon.`);
  throw new AppError('not_implemented', `This server does not reach ${name}.`);
}
