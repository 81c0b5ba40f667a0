import { lstat } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';

/**
 * One connection in ZeroMQ's protocol (ZMTP 3.0, without encryption), as the connecting side. ZeroMQ's own library buffers
 * a message with any number of parts before we can refuse it, so users' code could fill our memory with one.
 */
export interface ZmtpOptions {
  type: 'DEALER' | 'SUB';
  identity?: string;
  /** A larger message is left out. */
  mostBytes: number;
}

export interface ZmtpEvents {
  /** Reading pauses until the returned promise resolves. */
  onMessage(frames: Uint8Array[]): Promise<void> | undefined;
  /** The message was left out; these are its first frames, if they are small. */
  onTooLarge(frames: Uint8Array[], bytes: number): void;
  /** Called after each part with the time we waited for it and its size. */
  onRead(waitedMs: number, bytes: number): void;
  /** The other side closed it, or broke the protocol. Not called before there was a connection. */
  onClosed(): void;
}

const greeting = Buffer.alloc(64);
greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]);
greeting.write('NULL', 12, 'latin1');

const [more, long, command] = [1, 2, 4];
/** The kernel creates its sockets some time after our first attempt. */
const retryMs = 20;
const mostFrames = 4096;
/** Frames up to this size are kept of a message that is left out, to identify it. */
const smallFrame = 64 * 1024;
/** A message beyond this size is an attack. */
const endless = 2 * 1024 ** 3;
const mostUnsent = 64 * 1024 ** 2;
/** The limit of incomplete messages of all kernels together. */
const mostHeld = 512 * 1024 ** 2;
let held = 0;

interface Frame {
  flags: number;
  left: number;
  size: number;
  chunks: Buffer[];
}

export class ZmtpSocket {
  readonly #options: ZmtpOptions;
  readonly #events: ZmtpEvents;
  #socket: Socket | null = null;
  #state: 'connecting' | 'greeting' | 'ready' | 'closed' = 'connecting';
  #unsent: Buffer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #readAt = performance.now();
  /** Bytes that are read but not processed: an incomplete frame, or data that has to wait. */
  #rest: Buffer = Buffer.alloc(0);
  #isWaiting = false;
  #frame: Frame | null = null;
  #message = newMessage();

  constructor(path: string, options: ZmtpOptions, events: ZmtpEvents) {
    this.#options = options;
    this.#events = events;
    void this.#connect(path);
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  send(frames: Uint8Array[]): void {
    if (this.isClosed) throw new Error('The connection is closed');
    if ((this.#socket?.writableLength ?? 0) > mostUnsent) throw new Error('The kernel does not read what it is sent');
    const parts = frames.flatMap((frame, index) => {
      const head = frameHead(index < frames.length - 1 ? more : 0, frame.byteLength);
      return [head, Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)];
    });
    if (this.#state === 'ready') this.#write(parts);
    else this.#unsent.push(...parts);
  }

  close(): void {
    if (this.isClosed) return;
    this.#state = 'closed';
    if (this.#timer) clearTimeout(this.#timer);
    this.#release();
    this.#socket?.destroy();
  }

  /** Retries only until the socket exists, and connects to a socket only: later users' code could have replaced it. */
  async #connect(path: string): Promise<void> {
    const isThere = await lstat(path).then(
      (found) => found.isSocket(),
      () => false,
    );
    if (this.isClosed) return;
    if (!isThere) return this.#retry(path);
    const socket = connectSocket(path);
    this.#socket = socket;
    socket.once('connect', () => {
      if (this.isClosed) return;
      this.#state = 'greeting';
      socket.write(greeting);
      socket.write(this.#readyCommand());
    });
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.once('close', () => {
      if (this.#state === 'connecting') this.#retry(path);
      else this.#fail();
    });
  }

  #retry(path: string): void {
    this.#timer = setTimeout(() => void this.#connect(path), retryMs);
  }

  #fail(): void {
    if (this.isClosed) return;
    this.close();
    this.#events.onClosed();
  }

  #readyCommand(): Buffer {
    const { type, identity = '' } = this.#options;
    const property = (name: string, value: string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(value));
      return [Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)];
    };
    const name = [Buffer.from([5]), Buffer.from('READY')];
    const body = Buffer.concat([...name, ...property('Socket-Type', type), ...property('Identity', identity)]);
    return Buffer.concat([frameHead(command, body.length), body]);
  }

  #write(parts: Buffer[]): void {
    this.#socket?.cork();
    for (const part of parts) this.#socket?.write(part);
    this.#socket?.uncork();
  }

  #take(chunk: Buffer): void {
    const waited = performance.now() - this.#readAt;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#parse();
    this.#readAt = performance.now();
    if (!this.isClosed) this.#events.onRead(waited, chunk.length);
  }

  #parse(): void {
    if (this.#state === 'greeting' && !this.#greeted()) return;
    while (!this.#isWaiting && !this.isClosed) {
      this.#frame ??= this.#nextFrame();
      if (!this.#frame || !this.#fill(this.#frame)) return;
      const { flags, chunks } = this.#frame;
      this.#frame = null;
      if (flags & command) this.#command();
      else this.#add(flags, chunks);
    }
  }

  #greeted(): boolean {
    if (this.#rest.length < 64) return false;
    const [first, major = 0] = [this.#rest[0], this.#rest[10]];
    const isKnown = first === 0xff && this.#rest[9] === 0x7f && major >= 3;
    if (!isKnown || this.#rest.toString('latin1', 12, 17) !== 'NULL\0') {
      this.#fail();
      return false;
    }
    this.#rest = this.#rest.subarray(64);
    this.#state = 'ready';
    // Subscribes to all messages of a publisher.
    const subscription = this.#options.type === 'SUB' ? [frameHead(0, 1), Buffer.from([1])] : [];
    this.#write([...subscription, ...this.#unsent]);
    this.#unsent = [];
    return true;
  }

  /** Null when its head is incomplete. */
  #nextFrame(): Frame | null {
    const flags = this.#rest[0] ?? 0;
    const headLength = flags & long ? 9 : 2;
    if (this.#rest.length < headLength) return null;
    const size = flags & long ? Number(this.#rest.readBigUInt64BE(1)) : (this.#rest[1] ?? 0);
    this.#rest = this.#rest.subarray(headLength);
    const message = this.#message;
    message.bytes += size;
    message.count += 1;
    const isTooLarge = message.bytes > this.#options.mostBytes || message.count > mostFrames;
    if (isTooLarge || (size > smallFrame && held + size > mostHeld)) this.#leaveOut();
    if (message.bytes > endless) this.#fail();
    return { flags, left: size, size, chunks: [] };
  }

  /** Returns whether the frame is complete. */
  #fill(frame: Frame): boolean {
    const part = this.#rest.subarray(0, frame.left);
    this.#rest = this.#rest.subarray(part.length);
    frame.left -= part.length;
    if (!this.#message.isLeftOut || frame.size <= smallFrame) {
      frame.chunks.push(part);
      held += part.length;
      this.#message.held += part.length;
    }
    return frame.left === 0;
  }

  #leaveOut(): void {
    const message = this.#message;
    if (message.isLeftOut) return;
    message.isLeftOut = true;
    this.#release();
    message.frames = message.frames.filter(({ length }) => length <= smallFrame);
  }

  /** Ends the greeting; other commands need no answer in this version. */
  #command(): void {
    this.#release();
    this.#message = newMessage();
  }

  #add(flags: number, chunks: Buffer[]): void {
    const message = this.#message;
    const [only = Buffer.alloc(0)] = chunks;
    const frame = chunks.length > 1 ? Buffer.concat(chunks) : only;
    if (!message.isLeftOut || message.frames.length < 16) message.frames.push(frame);
    if (flags & more) return;
    this.#release();
    this.#message = newMessage();
    if (message.isLeftOut) {
      this.#events.onTooLarge(message.frames, message.bytes);
      return;
    }
    const dealt = this.#events.onMessage(message.frames);
    if (!dealt) return;
    this.#isWaiting = true;
    this.#socket?.pause();
    void dealt.finally(() => {
      this.#isWaiting = false;
      // The wait was not for the kernel.
      this.#readAt = performance.now();
      this.#socket?.resume();
      this.#parse();
    });
  }

  #release(): void {
    held -= this.#message.held;
    this.#message.held = 0;
  }
}

const newMessage = () => ({ frames: [] as Buffer[], bytes: 0, count: 0, held: 0, isLeftOut: false });

function frameHead(flags: number, size: number): Buffer {
  if (size < 256) return Buffer.from([flags, size]);
  const head = Buffer.alloc(9);
  head[0] = flags | long;
  head.writeBigUInt64BE(BigInt(size), 1);
  return head;
}
