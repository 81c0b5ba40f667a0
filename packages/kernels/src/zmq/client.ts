import { randomUUID } from 'node:crypto';
import { Dealer, Subscriber } from 'zeromq';
import type { Fields } from '../port.ts';
import { decode, encode, newMessage, type WireMessage } from '../wire/message.ts';
import { Backlog } from './backlog.ts';
import { addressOf, type Connection } from './connection.ts';

export interface ClientEvents {
  /** In the order the kernel said them. */
  onMessage(channel: 'iopub' | 'stdin', message: WireMessage): void;
  /** It says more than can be read: everything in it has to stand still until it is let go. */
  onHold(isHeld: boolean): void;
}

type Asking = 'shell' | 'control';

/** Beyond it the connection is cut by ZeroMQ and made again. ipykernel gathers up to 100 MB of output in one. */
const maxMessageSize = 256 * 1024 ** 2;
/** What we ask on our own account: nobody is told what the kernel says to it. */
const ownMark = 'own:';
const readyInterval = 10;
/** The kernel makes its sockets some time after we began to look for them. */
const reconnectInterval = 20;
/** A dead kernel's last words are on their way no longer than this. */
const silenceMilliseconds = 50;
/** After this long in one go the rest of the process gets its turn. */
const turnMilliseconds = 10;

const sizeOf = (frames: Uint8Array[]) => frames.reduce((size, frame) => size + frame.length, 0);

/** One kernel's sockets. */
export class KernelClient {
  readonly #connection: Connection;
  readonly #session = randomUUID();
  readonly #dealers: Record<Asking | 'stdin', Dealer>;
  readonly #iopub: Subscriber;
  readonly #waiting = new Map<string, { resolve: (reply: WireMessage) => void; reject: (error: Error) => void }>();
  /** A socket takes one message at a time. */
  #sending = Promise.resolve();
  #closed: Error | null = null;
  readonly #subscribed = Promise.withResolvers<void>();
  readonly #backlog: Backlog;
  #isSubscribed = false;
  #heard = 0;
  /** What it says of itself. */
  info: Fields = {};

  constructor(connection: Connection, events: ClientEvents) {
    this.#connection = connection;
    this.#backlog = new Backlog((isHeld) => events.onHold(isHeld));
    // Input is asked of the identity that sent the request: stdin must have the same as shell.
    const dealer = () =>
      new Dealer({ linger: 0, routingId: this.#session, receiveHighWaterMark: 0, reconnectInterval });
    this.#dealers = { shell: dealer(), control: dealer(), stdin: dealer() };
    // A publisher does not wait for who is slow, it drops: whatever comes is taken at once.
    this.#iopub = new Subscriber({ linger: 0, receiveHighWaterMark: 0, maxMessageSize, reconnectInterval });
    this.#iopub.subscribe();
    for (const channel of ['shell', 'control', 'stdin'] as const) {
      this.#dealers[channel].connect(addressOf(connection, channel));
    }
    this.#iopub.connect(addressOf(connection, 'iopub'));
    void this.#read(this.#dealers.shell, (message) => this.#answer(message));
    void this.#read(this.#dealers.control, (message) => this.#answer(message));
    void this.#read(this.#dealers.stdin, (message) => events.onMessage('stdin', message));
    void this.#read(this.#iopub, (message) => {
      this.#isSubscribed = true;
      this.#subscribed.resolve();
      if (!String(message.parent.msg_id).startsWith(ownMark)) events.onMessage('iopub', message);
    });
  }

  /** Until it has answered and we have heard it on iopub: what is published before that is lost. */
  async ready(): Promise<void> {
    while (!this.#isSubscribed) {
      await this.ping();
      await Promise.race([this.#subscribed.promise, pause(readyInterval)]);
    }
  }

  /** Answered after all that was asked on shell, or in a subshell, before. */
  async ping(subshell: string | null = null): Promise<void> {
    this.info = (await this.ask('kernel_info_request', {}, { subshell })).content;
  }

  /** Nobody hears of it. */
  ask(
    type: string,
    content: Fields,
    { channel = 'shell', subshell = null }: { channel?: Asking; subshell?: string | null } = {},
  ): Promise<WireMessage> {
    return this.request(channel, type, content, ownMark + randomUUID(), subshell);
  }

  /** Resolves with the reply. `id` names the message. */
  request(
    channel: Asking,
    type: string,
    content: Fields,
    id: string = randomUUID(),
    subshell: string | null = null,
  ): Promise<WireMessage> {
    if (this.#closed) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send(channel, type, content, id, [], subshell);
    });
  }

  send(
    channel: Asking | 'stdin',
    type: string,
    content: Fields,
    id: string = randomUUID(),
    buffers: Uint8Array[] = [],
    subshell: string | null = null,
  ): void {
    const message = { ...newMessage(type, content, this.#session, id, subshell), buffers };
    const frames = encode(message, this.#connection.key);
    const dealer = this.#dealers[channel];
    this.#sending = this.#sending.then(() => dealer.send(frames as Buffer[])).catch((error) => this.close(error));
  }

  /** When the kernel is dead: until all that it had said has been read. */
  async drain(): Promise<void> {
    for (let heard = -1; heard !== this.#heard; ) {
      heard = this.#heard;
      await pause(silenceMilliseconds);
    }
  }

  /** Whoever waits is refused with the error. */
  close(error = new Error('The kernel has ended')): void {
    if (this.#closed) return;
    this.#closed = error;
    this.#backlog.close();
    for (const socket of [...Object.values(this.#dealers), this.#iopub]) socket.close();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #answer(message: WireMessage): void {
    const id = String(message.parent.msg_id);
    this.#waiting.get(id)?.resolve(message);
    this.#waiting.delete(id);
  }

  async #read(socket: Dealer | Subscriber, take: (message: WireMessage) => void): Promise<void> {
    let since = performance.now();
    while (!this.#closed) {
      const asked = performance.now();
      const frames = await socket.receive().catch(() => null);
      if (!frames) return;
      const waited = performance.now() - asked;
      this.#heard++;
      const message = this.#decoded(frames);
      if (message && !this.#closed) take(message);
      if (socket === this.#iopub && !this.#closed) this.#backlog.read(waited, sizeOf(frames));
      if (performance.now() - since > turnMilliseconds) {
        await new Promise(setImmediate);
        since = performance.now();
      }
    }
  }

  #decoded(frames: Uint8Array[]): WireMessage | null {
    try {
      return decode(frames, this.#connection.key);
    } catch {
      // Users' code can reach the sockets too and may write anything there.
      return null;
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
