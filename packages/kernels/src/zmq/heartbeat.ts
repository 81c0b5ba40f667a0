import { type Connection, pathOf } from './connection.ts';
import { ZmtpSocket } from './zmtp.ts';

/** Checks repeatedly that the kernel's process runs; ipykernel answers even while it is busy in C. */
export class Heartbeat {
  readonly #socket: ZmtpSocket;
  readonly #timer: NodeJS.Timeout;
  #last: number | null = null;
  #isAsked = false;

  constructor(connection: Connection, interval = 1000) {
    const options = { type: 'DEALER', mostBytes: 1024 } as const;
    this.#socket = new ZmtpSocket(pathOf(connection, 'hb'), options, {
      onMessage: () => {
        this.#last = Date.now();
        this.#isAsked = false;
      },
      onTooLarge() {},
      onRead() {},
      onClosed() {},
    });
    this.#timer = setInterval(() => this.#ask(), interval);
    this.#ask();
  }

  /** In milliseconds since 1970; null when it has never answered, as some kernels do not. */
  get last(): number | null {
    return this.#last;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  #ask(): void {
    if (this.#isAsked || this.#socket.isClosed) return;
    this.#isAsked = true;
    this.#socket.send([Buffer.alloc(0), Buffer.from('ping')]);
  }
}
