import { randomUUID } from 'node:crypto';
import { type Fields, shownTypes } from '../port.ts';
import { sizeText } from '../results.ts';
import { decode, encode, headOf, newMessage, type WireMessage } from '../wire/message.ts';
import { Backlog } from './backlog.ts';
import { type Connection, pathOf } from './connection.ts';
import { decoder } from './decoder.ts';
import { ZmtpSocket } from './zmtp.ts';

export interface ClientEvents {
  /** Receives messages in the kernel's order. */
  onMessage(channel: 'iopub' | 'stdin', message: WireMessage): void;
  /** The kernel sends more than we can read: suspend everything in it until it is released. */
  onHold(isHeld: boolean): void;
  /** One of its sockets has closed, as when it ends. */
  onClosed(): void;
}

type RequestChannel = 'shell' | 'control';

/** ipykernel gathers up to 100 MB of output in one message. The other channels carry questions and answers. */
const mostBytes = { iopub: 112 * 1024 ** 2, shell: 16 * 1024 ** 2, control: 4 * 1024 ** 2, stdin: 4 * 1024 ** 2 };
type Channel = keyof typeof mostBytes;
const channels = Object.keys(mostBytes) as Channel[];
/** Marks our own requests, whose messages are not published. */
const ownMark = 'own:';
const readyInterval = 10;
/** Larger messages are decoded in a thread, because they would delay everyone else's kernels. */
const mostDecodedHere = 2 * 1024 ** 2;
/** During a longer decoding the kernel would send more than its socket holds. */
const longDecoding = 8 * 1024 ** 2;

const sizeOf = (frames: Uint8Array[]) => frames.reduce((size, { length }) => size + length, 0);
/** A dead kernel's last messages arrive within this time. */
const silenceMilliseconds = 50;

/** One kernel's sockets. */
export class KernelClient {
  readonly #connection: Connection;
  readonly #session = randomUUID();
  readonly #sockets: Record<Channel, ZmtpSocket>;
  readonly #events: ClientEvents;
  readonly #waiting = new Map<string, { resolve: (reply: WireMessage) => void; reject: (error: Error) => void }>();
  #closed: Error | null = null;
  readonly #subscribed = Promise.withResolvers<void>();
  readonly #backlog: Backlog;
  readonly #muted = new Map<string, (bytes: number) => void>();
  #isSubscribed = false;
  #heard = 0;
  /** The kernel's description of itself. */
  info: Fields = {};

  constructor(connection: Connection, events: ClientEvents) {
    this.#connection = connection;
    this.#events = events;
    this.#backlog = new Backlog((isHeld) => events.onHold(isHeld));
    const sockets = channels.map((channel) => [channel, this.#open(channel)] as const);
    this.#sockets = Object.fromEntries(sockets) as Record<Channel, ZmtpSocket>;
  }

  #open(channel: Channel): ZmtpSocket {
    // A kernel asks the requester's identity for input, so stdin must have the same as shell.
    const role = channel === 'iopub' ? { type: 'SUB' as const } : { type: 'DEALER' as const, identity: this.#session };
    return new ZmtpSocket(
      pathOf(this.#connection, channel),
      { ...role, mostBytes: mostBytes[channel] },
      {
        onMessage: (frames) => this.#read(channel, frames),
        onTooLarge: (frames, bytes) => this.#leftOut(channel, frames, bytes),
        onRead: (waited, bytes) => {
          this.#heard++;
          this.#backlog.read(waited, bytes);
        },
        onClosed: () => {
          if (!this.#closed) this.#events.onClosed();
        },
      },
    );
  }

  /** Resolves when the kernel has answered and iopub delivers, because earlier messages on iopub are lost. */
  async ready(): Promise<void> {
    while (!this.#isSubscribed) {
      await this.ping();
      await Promise.race([this.#subscribed.promise, pause(readyInterval)]);
    }
  }

  /** Resolves after all earlier requests on shell, or in a subshell. */
  async ping(subshell: string | null = null): Promise<void> {
    this.info = (await this.ask('kernel_info_request', {}, { subshell })).content;
  }

  /** Sends a request of our own, whose messages are not published. */
  ask(
    type: string,
    content: Fields,
    { channel = 'shell', subshell = null }: { channel?: RequestChannel; subshell?: string | null } = {},
  ): Promise<WireMessage> {
    return this.request(channel, type, content, ownMark + randomUUID(), subshell);
  }

  /** Resolves with the reply. `id` names the message. */
  request(
    channel: RequestChannel,
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
    channel: RequestChannel | 'stdin',
    type: string,
    content: Fields,
    id: string = randomUUID(),
    buffers: Uint8Array[] = [],
    subshell: string | null = null,
  ): void {
    const message = { ...newMessage(type, content, this.#session, id, subshell), buffers };
    const frames = encode(message, this.#connection.key);
    try {
      this.#sockets[channel].send(frames);
    } catch (error) {
      // Otherwise it is ending, which its end reports.
      if (!this.#sockets[channel].isClosed) this.close(error as Error);
    }
  }

  /** Drops output that answers this request without decoding it; null stops that. */
  mute(requestId: string, onLeftOut: ((bytes: number) => void) | null): void {
    if (onLeftOut) this.#muted.set(requestId, onLeftOut);
    else this.#muted.delete(requestId);
  }

  /** For a dead kernel: resolves when all its messages have been read. */
  async drain(): Promise<void> {
    const isOpen = () => channels.some((channel) => !this.#sockets[channel].isClosed);
    for (let heard = -1; heard !== this.#heard && isOpen(); ) {
      heard = this.#heard;
      await pause(silenceMilliseconds);
    }
  }

  /** Rejects all waiting requests with the error. */
  close(error = new Error('The kernel has ended')): void {
    if (this.#closed) return;
    this.#closed = error;
    this.#backlog.close();
    for (const socket of Object.values(this.#sockets)) socket.close();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #answer(message: WireMessage): void {
    const id = String(message.parent.msg_id);
    this.#waiting.get(id)?.resolve(message);
    this.#waiting.delete(id);
  }

  #read(channel: Channel, frames: Uint8Array[]): Promise<void> | undefined {
    if (channel === 'iopub' && this.#isMuted(frames)) return undefined;
    if (sizeOf(frames) <= mostDecodedHere) {
      const message = this.#decoded(frames);
      if (message) this.#take(channel, message);
      return undefined;
    }
    const bytes = sizeOf(frames);
    const isLong = bytes > longDecoding;
    this.#backlog.busy(true, isLong);
    return decoder
      .decode(frames, this.#connection.key, (message) => this.#take(channel, message))
      .then((isTooLarge) => {
        if (isTooLarge) this.#leftOut(channel, frames, bytes);
        this.#backlog.busy(false);
      });
  }

  #isMuted(frames: Uint8Array[]): boolean {
    const head = this.#muted.size > 0 ? headOf(frames) : null;
    const onLeftOut = head ? this.#muted.get(String(head.parent.msg_id)) : undefined;
    if (!head || !onLeftOut || !shownTypes.has(head.header.msg_type)) return false;
    onLeftOut(sizeOf(frames));
    return true;
  }

  #take(channel: Channel, message: WireMessage): void {
    if (this.#closed) return;
    if (channel === 'shell' || channel === 'control') {
      this.#answer(message);
      return;
    }
    if (channel === 'iopub') {
      this.#isSubscribed = true;
      this.#subscribed.resolve();
      if (String(message.parent.msg_id).startsWith(ownMark)) return;
    }
    this.#events.onMessage(channel, message);
  }

  /** Sends a note in place of the message that was left out. */
  #leftOut(channel: Channel, frames: Uint8Array[], bytes: number): void {
    const head = headOf(frames);
    if (!head || this.#closed) return;
    const text = `${channel === 'iopub' ? 'An output' : 'An answer'} of ${sizeText(bytes)} was left out: it is too large.`;
    const isReply = channel === 'shell' || channel === 'control';
    const content: Fields = isReply
      ? { status: 'error', ename: 'OutputLimit', evalue: text, traceback: [text] }
      : { name: 'stderr', text: `${text}\n`, prompt: text, password: false };
    const header = channel === 'iopub' ? { ...head.header, msg_type: 'stream' } : head.header;
    this.#take(channel, { ...head, header, metadata: {}, content, buffers: [] });
  }

  #decoded(frames: Uint8Array[]): WireMessage | null {
    try {
      return decode(frames, this.#connection.key);
    } catch {
      // Users' code can also reach the sockets and may write anything there.
      return null;
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
