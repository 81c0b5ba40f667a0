import { type EndpointInput, type ExchangeConnection, exchangeInfo } from '@atoll/contract';
import { ExchangeKeyRefusal, type KeyRights } from '@atoll/trading';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { keyIdOf, seal } from '../../secrets/seal.ts';
import { exchangeConnections } from '../table.ts';
import { viewConnection } from '../view.ts';
import type { RealExchange, SealedKey } from '../worker/messages.ts';
import { initialLimits, isLive } from './connections.ts';
import { exchangeProblem, requireReachable } from './exchanges.ts';
import { remoteExchange } from './worker-client.ts';

const otherOf: Record<RealExchange, RealExchange> = { binance: 'binance_testnet', binance_testnet: 'binance' };

/** A key says by itself to which exchange it belongs: that one takes it, the other one does not. */
async function rightsOf(ctx: Context, type: RealExchange, key: SealedKey): Promise<KeyRights> {
  try {
    return await remoteExchange(ctx, type, key).rights();
  } catch (error) {
    if (!(error instanceof ExchangeKeyRefusal)) throw exchangeProblem(error);
    const isOther = await remoteExchange(ctx, otherOf[type], key)
      .balances()
      .then(
        () => true,
        () => false,
      );
    const words = isOther
      ? `This is a key of ${exchangeInfo[otherOf[type]].name}, not of ${exchangeInfo[type].name}.`
      : `${exchangeInfo[type].name} does not accept this key: ${error.message}`;
    throw invalidField('api_key', words);
  }
}

/** Checked before it is stored: the right exchange, reading and trading, and nothing beyond. */
export async function connectExchange(
  ctx: Context,
  input: EndpointInput<'trading', 'connect'>,
): Promise<ExchangeConnection & { warnings: string[] }> {
  if (input.type === 'demo') throw new AppError('conflict', 'Your demo account is there already.');
  const type = requireReachable(ctx, input.type);
  const [master] = ctx.config.secretKeys;
  if (!master) throw new AppError('service_unavailable', 'This server has no key to seal secrets with.');
  const [connectionId, userId] = [newId(), ctx.actor.userId ?? nobody];
  const secret = JSON.stringify({ apiKey: input.api_key, secret: input.secret });
  const sealed = seal(master, userId, `exchange:${connectionId}`, secret);
  const sealId = keyIdOf(master);
  const rights = await rightsOf(ctx, type, { userId, connectionId, sealed, sealId });
  if (!rights.canRead || !rights.canTrade)
    throw invalidField('api_key', 'The key must be allowed to read and to trade spot.');
  if (rights.canWithdraw || rights.canTransfer) {
    throw invalidField('api_key', 'The key can withdraw or transfer. Create one that cannot: nothing here needs it.');
  }
  const now = ctx.now();
  const row = await ctx.write(async ({ tx, emit }) => {
    const [made] = await tx
      .insert(exchangeConnections)
      .values({
        ...{ id: connectionId, userId, type, label: input.label, keyHint: input.api_key.slice(-4) },
        ...{ sealedKey: sealed, sealId, rights, isArmed: !isLive(type), limits: initialLimits },
        ...{ createdAt: now, checkedAt: now },
      })
      .returning();
    if (!made) throw new Error('The connection was not stored');
    await emit('exchange.connected', { connection_id: made.id, user_id: userId, type });
    return made;
  });
  const warnings = rights.isIpRestricted === false ? [unrestricted(ctx.config.trading.address)] : [];
  return { ...viewConnection(row), warnings };
}

const unrestricted = (address: string | null) =>
  `Connected. The key works from anywhere: restrict it to ${address ?? 'the address of this server'}.`;
