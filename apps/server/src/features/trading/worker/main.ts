import { ExchangeBusy, ExchangeKeyRefusal, ExchangeRefusal } from '@atoll/trading';
import { keyIdOf, unseal } from '../../secrets/seal.ts';
import { type BinanceExchange, type Budget, binance } from './binance.ts';
import type { Call, Failure, FromWorker, RealExchange, SealedKey, ToWorker } from './messages.ts';

/**
 * The one process that opens keys of exchanges and talks to them. What it is sent is sealed; what it answers has no key in it.
 */
const state = {
  masterKeys: [] as Buffer[],
  /** One for what is public, and one for each account. */
  instances: new Map<string, Promise<BinanceExchange>>(),
  budgets: new Map<string, Budget>(),
};
const mostInstances = 200;

function open({ userId, connectionId, sealed, sealId }: SealedKey): { apiKey: string; secret: string } {
  const master = state.masterKeys.find((each) => keyIdOf(each) === sealId);
  if (!master) throw new ExchangeKeyRefusal('The key cannot be opened any more. Connect the exchange again.');
  return JSON.parse(unseal(master, userId, keyName(connectionId), sealed)) as { apiKey: string; secret: string };
}
const keyName = (connectionId: string) => `exchange:${connectionId}`;

function instanceOf(exchange: RealExchange, url: string, key: SealedKey | null): Promise<BinanceExchange> {
  const name = `${exchange} ${url} ${key ? `${key.connectionId} ${key.sealed}` : ''}`;
  const known = state.instances.get(name);
  if (known) return known;
  if (state.instances.size >= mostInstances) state.instances.clear();
  const budget = state.budgets.get(url) ?? { restUntil: 0 };
  state.budgets.set(url, budget);
  const made = binance(exchange, url, key ? open(key) : null, budget);
  state.instances.set(name, made);
  made.catch(() => state.instances.delete(name));
  return made;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ExchangeRefusal) return { kind: 'refusal', message, code: error.code };
  if (error instanceof ExchangeBusy) return { kind: 'busy', message, until: error.until };
  if (error instanceof ExchangeKeyRefusal) return { kind: 'key', message };
  return { kind: 'unclear', message };
}

const send = (answer: FromWorker) => process.send?.(answer);

async function answer({ id, exchange, url, key, method, args }: Call): Promise<void> {
  try {
    const instance = await instanceOf(exchange, url, key);
    const call = instance[method] as (...args: unknown[]) => Promise<unknown>;
    send({ id, value: await call(...args) });
  } catch (error) {
    send({ id, failure: failureOf(error) });
  }
}

process.on('message', (message: ToWorker) => {
  if ('keys' in message) state.masterKeys = message.keys.map((key) => Buffer.from(key, 'hex'));
  else void answer(message);
});
// Without its server it has nothing to do.
process.on('disconnect', () => process.exit(0));
