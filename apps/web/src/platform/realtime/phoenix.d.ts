/** The used part of the official client, which has no types of its own. */
declare module 'phoenix' {
  export interface Push {
    receive(status: string, callback: (response: never) => void): Push;
    cancelTimeout(): void;
    reset(): void;
  }

  export interface Channel {
    joinPush: Push;
    join(timeout?: number): Push;
    leave(timeout?: number): Push;
    push(event: string, payload: object, timeout?: number): Push;
    canPush(): boolean;
    onClose(callback: () => void): void;
    onError(callback: (reason: unknown) => void): void;
    /** Gets every message first; its return value is passed on. */
    onMessage: (event: string, payload: unknown) => unknown;
  }

  export interface SocketOptions {
    authToken?: () => string;
    timeout?: number;
    heartbeatIntervalMs?: number;
    longPollFallbackMs?: number;
    reconnectAfterMs?: (tries: number) => number;
    rejoinAfterMs?: (tries: number) => number;
    sessionStorage?: Pick<Storage, 'getItem' | 'setItem'>;
  }

  export class Socket {
    constructor(endPoint: string, options?: SocketOptions);
    connect(): void;
    disconnect(callback?: () => void, code?: number, reason?: string): void;
    channel(topic: string, params?: object | (() => object)): Channel;
    isConnected(): boolean;
    onOpen(callback: () => void): string;
    onClose(callback: (event: { code: number }) => void): string;
    onMessage(callback: () => void): string;
    replaceTransport(transport: unknown): number;
    transport: unknown;
    /** False while the client wants to be connected: only then does a page that becomes visible connect at once. */
    closeWasClean: boolean;
    /** Whether the websocket has ever worked. */
    primaryPassedHealthCheck: boolean;
    reconnectTimer: { tries: number; reset(): void; scheduleTimeout(): void };
    teardownAndReconnect(reconnect: () => void): void;
  }

  export const LongPoll: unknown;

  export class Presence {
    constructor(channel: Channel);
    onSync(callback: () => void): void;
    list<Item>(by: (key: string, presence: { metas: Record<string, unknown>[] }) => Item): Item[];
  }
}
