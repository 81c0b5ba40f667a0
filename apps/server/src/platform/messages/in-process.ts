import { outsideTransaction } from '../db/transaction-scope.ts';
import type { Json, MessageBus } from './bus.ts';

/** All subscribers are in this process. */
export function inProcessBus(): MessageBus {
  const handlers = new Map<string, Set<(data: Json) => void>>();
  return {
    publish(subject, data) {
      // As over a network: a subscriber gets its own copy, later, and cannot fail the publisher.
      const copy = JSON.stringify(data);
      const deliver = () => {
        for (const handler of handlers.get(subject) ?? []) handler(JSON.parse(copy));
      };
      outsideTransaction(() => queueMicrotask(deliver));
    },
    async subscribe(subject, handler) {
      const subscribed = handlers.get(subject) ?? new Set();
      handlers.set(subject, subscribed.add(handler));
      return () => {
        subscribed.delete(handler);
        if (subscribed.size === 0) handlers.delete(subject);
      };
    },
    async close() {
      handlers.clear();
    },
  };
}
