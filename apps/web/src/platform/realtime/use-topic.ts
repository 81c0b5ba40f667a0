import { useEffect, useRef } from 'react';
import { nameOf, type ParamsOf, subscribe, type TopicHandlers, type TopicKey } from './realtime.ts';

/** Follows a topic while the component is shown; null follows none. */
export function useTopic<Key extends TopicKey>(
  key: Key,
  params: ParamsOf<Key> | null,
  handlers: TopicHandlers<Key>,
): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  const name = params && nameOf(key, params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says which topic it is.
  useEffect(() => {
    if (!params) return;
    const on = new Proxy({} as NonNullable<TopicHandlers<Key>['on']>, {
      get: (_, event) => latest.current.on?.[event as keyof NonNullable<TopicHandlers<Key>['on']>],
    });
    const subscription = subscribe(key, params, {
      on,
      onJoined: (...joined) => latest.current.onJoined?.(...joined),
      onLost: (error) => latest.current.onLost?.(error),
      onPresence: (present) => latest.current.onPresence?.(present),
    });
    return () => subscription.leave();
  }, [key, name]);
}
