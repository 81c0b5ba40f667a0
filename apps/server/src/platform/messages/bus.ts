/** Messages between servers. A message is delivered at most once, to current subscribers; do not rely on one alone. */
export interface MessageBus {
  /** Reaches every subscriber on the other servers, and those on this one. */
  publish(subject: string, data: Json): void;
  subscribe(subject: string, handler: (data: Json) => void): Promise<() => void>;
  close(): Promise<void>;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
