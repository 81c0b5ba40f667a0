import { connect } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import type { MessageBus } from './bus.ts';

const prefix = 'atoll.';

/** NATS finds its server again by itself; what is published meanwhile is lost. */
export async function natsBus(url: string, log: Log): Promise<MessageBus> {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 500, name: 'atoll' });
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'reconnect') log.warn({ type: status.type }, 'NATS');
    }
  })();
  return {
    publish(subject, data) {
      connection.publish(prefix + subject, JSON.stringify(data));
    },
    async subscribe(subject, handler) {
      const subscription = connection.subscribe(prefix + subject, {
        callback: (error, message) => {
          if (error) log.error({ error, subject }, 'A message could not be received');
          else handler(message.json());
        },
      });
      // The server knows of it only once it has answered.
      await connection.flush();
      return () => subscription.unsubscribe();
    },
    close: () => connection.drain(),
  };
}
