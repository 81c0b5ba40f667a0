import { randomUUID } from 'node:crypto';
import { type Fields, shownTypes } from '../port.ts';
import { sizeText } from '../results.ts';
import { decode, encode, headOf, newMessage, type WireMessage } from '../wire/message.ts';
import { Backlog } from './backlog.ts';
import { type Connection, pathOf } from './connection.ts';
import { decoder } from './decoder.ts';
import { ZmtpSocket } from './zmtp.ts';

export interface ClientEvents {
  /** In the order the kernel said them. */
  onMessage(channel: 'iopub' | 'stdin', message: WireMessage): void;
  /** It says more than can be read: everything in it has to stand still until it is let go. */
  onHold(isHeld: boolean): void;
  /** One of its sockets is gone, as when it ends. */
  onClosed(): void;
}

type RequestChannel = 'shell' | 'control';

/** ipykernel gathers up to 100 MB of output in one. The other channels carry questions and answers. */
const mostBytes = { iopub: 112 * 1024 ** 2, shell: 16 * 1024 ** 2, control: 4 * 1024 ** 2, stdin: 4 * 1024 ** 2 };
type Channel = keyof typeof mostBytes;
const channels = Object.keys(mostBytes) as Channel[];
/** What we ask on our own account: nobody is told what the kernel says to it. */
const ownMark = 'own:';
const readyInterval = 10;
/** Reading more than this would hold up everybody else's kernels: it is done in a thread. */
const mostDecodedHere = 2 * 1024 ** 2;
/** Meanwhile the kernel would say more than its socket keeps. */
const longDecoding = 8 * 1024 ** 2;

const sizeOf = (frames: Uint8Array[]) => frames.reduce((size, { length }) => size + length, 0);
/** A dead kernel's last words are on their way no longer than this. */
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
  /** What it says of itself. */
  info: Fields = {};

  constructor(connection: Connection, events: ClientEvents) {
    this.#connection = connection;
    this.#events = events;
    this.#backlog = new Backlog((isHeld) => events.onHold(isHeld));
    const sockets = channels.map((channel) => [channel, this.#open(channel)] as const);
    this.#sockets = Object.fromEntries(sockets) as Record<Channel, ZmtpSocket>;
  }

  #open(channel: Channel): ZmtpSocket {
    // Input is asked of the identity that sent the request: stdin must have the same as shell.
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
      // Else it is on its way out, which is told by its end.
      if (!this.#sockets[channel].isClosed) this.close(error as Error);
    }
  }

  /** What is shown in answer to this request is not even read; null ends that. */
  mute(requestId: string, onLeftOut: ((bytes: number) => void) | null): void {
    if (onLeftOut) this.#muted.set(requestId, onLeftOut);
    else this.#muted.delete(requestId);
  }

  /** When the kernel is dead: until all that it had said has been read. */
  async drain(): Promise<void> {
    const isOpen = () => channels.some((channel) => !this.#sockets[channel].isClosed);
    for (let heard = -1; heard !== this.#heard && isOpen(); ) {
      heard = this.#heard;
      await pause(silenceMilliseconds);
    }
  }

  /** Whoever waits is refused with the error. */
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

  /** Whoever waits for it, or looks at it, is told. */
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
      // Users' code can reach the sockets too and may write anything there.
      return null;
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
