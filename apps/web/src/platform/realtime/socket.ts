import { LongPoll, Presence, Socket } from 'phoenix';
import {
  backToWebsocketMs,
  delayOf,
  heartbeatMs,
  joinTimeoutMs,
  longPollFallbackMs,
  maxMute,
  reconnectDelays,
  rejoinDelays,
} from './constants.ts';

/** Loaded with the first topic, so that the first page has nothing of the official client. */
export { Presence };

export interface LiveSocketOptions {
  /** Returns a fresh token before each attempt. */
  fetchToken(): Promise<string>;
  onOpen(isPolling: boolean): void;
  onClose(code: number): void;
  /** There was no token, so no connection was tried. */
  onNoToken(error: unknown): void;
}

/**
 * The official client reads its token in the moment it connects. This one gets a fresh token first for every connection:
 * the first one, after a break, and when the page is shown again.
 */
export class LiveSocket extends Socket {
  private asking: object | null = null;
  /** Consecutive websockets that opened and closed without a message, as with some proxies. */
  private mute = 0;
  private isQuiet = false;
  private back: ReturnType<typeof setTimeout> | undefined;
  private readonly held: { token: string };
  private readonly options: LiveSocketOptions;

  constructor(url: string, options: LiveSocketOptions) {
    const held = { token: '' };
    super(url, {
      authToken: () => held.token,
      timeout: joinTimeoutMs,
      heartbeatIntervalMs: heartbeatMs,
      rejoinAfterMs: (tries) => delayOf(rejoinDelays, tries),
      reconnectAfterMs: (tries) => delayOf(reconnectDelays, tries),
      longPollFallbackMs,
      sessionStorage: forThisPage(),
    });
    this.held = held;
    this.options = options;
    this.onOpen(() => {
      this.isQuiet = true;
      const isPolling = this.transport === LongPoll;
      clearTimeout(this.back);
      if (isPolling && this.primaryPassedHealthCheck) {
        this.back = setTimeout(() => this.goBack(), backToWebsocketMs);
      }
      options.onOpen(isPolling);
    });
    this.onMessage(() => {
      this.isQuiet = false;
      this.mute = 0;
    });
    this.onClose(({ code }) => {
      if (this.isQuiet && this.transport !== LongPoll) this.mute++;
      this.isQuiet = false;
      options.onClose(code);
    });
  }

  override connect(): void {
    if (this.asking) return;
    const asking = {};
    this.asking = asking;
    this.closeWasClean = false;
    this.options.fetchToken().then(
      (token) => {
        if (this.asking !== asking) return;
        this.asking = null;
        this.held.token = token;
        if (this.mute >= maxMute) this.transport = LongPoll;
        // The client polls from the first failure on, also when the server was only away for a moment.
        else if (this.primaryPassedHealthCheck) this.transport = WebSocket;
        super.connect();
      },
      (error: unknown) => {
        if (this.asking !== asking) return;
        this.asking = null;
        this.options.onNoToken(error);
        if (!this.closeWasClean) this.reconnectTimer.scheduleTimeout();
      },
    );
  }

  override disconnect(callback?: () => void, code?: number, reason?: string): void {
    this.asking = null;
    clearTimeout(this.back);
    super.disconnect(callback, code, reason);
  }

  /** The network is back or another one: an open connection may be dead without notice. */
  revive(): void {
    if (this.closeWasClean) return;
    this.reconnectTimer.reset();
    this.teardownAndReconnect(() => this.connect());
  }

  /** A fallback is no success: earlier tries still count for the next delay. */
  override replaceTransport(transport: unknown): number {
    const { tries } = this.reconnectTimer;
    const clock = super.replaceTransport(transport);
    this.reconnectTimer.tries = tries;
    return clock;
  }

  private goBack(): void {
    this.mute = 0;
    this.replaceTransport(WebSocket);
    this.connect();
  }
}

/**
 * Stores whether the client fell back to polling. The browser's own storage would keep that over a reload, when the
 * websocket may work again; and it throws inside other sites' frames.
 */
function forThisPage(): Pick<Storage, 'getItem' | 'setItem'> {
  const notes = new Map<string, string>();
  return { getItem: (key) => notes.get(key) ?? null, setItem: (key, value) => void notes.set(key, value) };
}
