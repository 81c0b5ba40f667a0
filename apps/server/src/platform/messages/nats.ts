import type { Log } from '../log.ts';
import type { MessageBus } from './bus.ts';
import { createSigner, createVerifier, type Refusal, type SigningKey } from './signed.ts';

const prefix = 'atoll.';
/** A flood of forged messages on the bus must not flood the log too. */
const quietMs = 10_000;

/**
 * NATS reconnects by itself; messages published meanwhile are lost. Messages that are not signed with the servers' key are
 * ignored.
 */
export async function natsBus(url: string, { key, log }: { key: SigningKey; log: Log }): Promise<MessageBus> {
  const { connect } = await import('@nats-io/transport-node');
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 500, name: 'atoll' });
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'reconnect') log.warn({ type: status.type }, 'NATS');
    }
  })();
  const sign = createSigner(key);
  const refused = { count: 0, toldAt: Number.NEGATIVE_INFINITY };

  function refuse(refusal: Refusal, subject: string): void {
    refused.count += 1;
    if (performance.now() - refused.toldAt < quietMs) return;
    refused.toldAt = performance.now();
    log.warn({ refusal, subject, count: refused.count }, 'Messages that are not from a server were ignored');
  }

  return {
    publish(subject, data) {
      connection.publish(prefix + subject, sign(subject, JSON.stringify(data)));
    },
    async subscribe(subject, handler) {
      const verify = createVerifier(key, subject);
      const subscription = connection.subscribe(prefix + subject, {
        callback: (error, message) => {
          if (error) {
            log.error({ error, subject }, 'A message could not be received');
            return;
          }
          const verdict = verify(message.data);
          if ('refusal' in verdict) refuse(verdict.refusal, subject);
          else handler(JSON.parse(verdict.text));
        },
      });
      // The server knows of the subscription only once it has answered.
      await connection.flush();
      return () => subscription.unsubscribe();
    },
    close: () => connection.drain(),
  };
}
