/** The part of the official client that the tests use; it has no types of its own. */
interface PhoenixPush {
  receive(status: string, callback: (response: never) => void): PhoenixPush;
  cancelTimeout(): void;
  reset(): void;
}

interface PhoenixChannel {
  topic: string;
  state: 'closed' | 'errored' | 'joined' | 'joining' | 'leaving';
  joinPush: PhoenixPush;
  join(timeout?: number): PhoenixPush;
  leave(timeout?: number): PhoenixPush;
  push(event: string, payload: object, timeout?: number): PhoenixPush;
  canPush(): boolean;
  joinRef(): string;
  on(event: string, callback: (payload: never, ref?: string | null) => void): number;
  off(event: string, ref?: number): void;
  onClose(callback: (reason: unknown) => void): void;
  onError(callback: (reason: unknown) => void): void;
}

interface PhoenixSocket {
  conn: { close(): void; readyState: number } | null;
  connect(): void;
  disconnect(callback?: () => void, code?: number, reason?: string): void;
  channel(topic: string, params?: object | (() => object)): PhoenixChannel;
  isConnected(): boolean;
  connectionState(): string;
  push(message: { topic: string; event: string; payload: object; ref: string; join_ref?: string | null }): void;
  makeRef(): string;
  onOpen(callback: () => void): string;
  onClose(callback: (event: { code: number; reason: string }) => void): string;
  onError(callback: (error: unknown) => void): string;
  onMessage(callback: (message: { topic: string; event: string; payload: never; ref: string | null }) => void): string;
}

interface PhoenixPresence {
  onSync(callback: () => void): void;
  onJoin(callback: (key: string) => void): void;
  onLeave(callback: (key: string) => void): void;
  list<T>(by: (key: string, presence: { metas: Record<string, unknown>[] }) => T): T[];
}

interface PhoenixSocketOptions {
  transport?: unknown;
  params?: object | (() => object);
  authToken?: string;
  timeout?: number;
  heartbeatIntervalMs?: number;
  longPollFallbackMs?: number;
  longpollerTimeout?: number;
  reconnectAfterMs?: (tries: number) => number;
  rejoinAfterMs?: (tries: number) => number;
  sessionStorage?: object;
  vsn?: string;
  logger?: (kind: string, message: string, data: unknown) => void;
}

interface PhoenixClient {
  Socket: new (endPoint: string, options?: PhoenixSocketOptions) => PhoenixSocket;
  LongPoll: unknown;
  Presence: new (channel: PhoenixChannel) => PhoenixPresence;
}

declare module 'phoenix' {
  export const Socket: PhoenixClient['Socket'];
  export const LongPoll: PhoenixClient['LongPoll'];
  export const Presence: PhoenixClient['Presence'];
}

declare module 'phoenix-1-8-12' {
  export const Socket: PhoenixClient['Socket'];
  export const LongPoll: PhoenixClient['LongPoll'];
  export const Presence: PhoenixClient['Presence'];
}
