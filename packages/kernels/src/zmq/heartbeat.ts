import { Dealer } from 'zeromq';
import { addressOf, type Connection } from './connection.ts';

/** Asks again and again whether the kernel's process runs at all; ipykernel answers even while it is busy in C. */
export class Heartbeat {
  readonly #socket = new Dealer({ linger: 0, reconnectInterval: 100, sendHighWaterMark: 1 });
  readonly #timer: NodeJS.Timeout;
  #last: number | null = null;
  #isAsked = false;

  constructor(connection: Connection, interval = 1000) {
    this.#socket.connect(addressOf(connection, 'hb'));
    this.#timer = setInterval(() => void this.#ask(), interval);
    void this.#ask();
    void this.#listen();
  }

  /** In milliseconds since 1970; null when it has never answered, as some kernels do not. */
  get last(): number | null {
    return this.#last;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  async #ask(): Promise<void> {
    if (this.#isAsked) return;
    this.#isAsked = true;
    await this.#socket.send(['', 'ping']).catch(() => {});
  }

  async #listen(): Promise<void> {
    while (!this.#socket.closed) {
      const answer = await this.#socket.receive().catch(() => null);
      if (!answer) return;
      this.#last = Date.now();
      this.#isAsked = false;
    }
  }
}
